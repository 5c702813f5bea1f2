// Package given serves by what it is given.
package given

import (
	"errors"
	"net/http"

	"k8s.io/klog/v2"
)

// ServeOn serves by the server of the caller.
func ServeOn(server *http.Server, first func()) error {
	go func() {
		first()
		klog.Info("the first is through")
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
