// Package ends has what reconcilers end with.
package ends

import (
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Base is what reconcilers are made of.
type Base struct{}

// After ends with err, or comes back after period.
func (Base) After(err error, period time.Duration) (ctrl.Result, error) {
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: period}, nil
}
