// Package served has run loops that serve with a server of their own.
package served

import (
	"context"
	"net/http"

	"k8s.io/klog/v2"
)

type forgetful struct{ http.ServeMux }

func (s *forgetful) Run(_ context.Context, _ int) error { // want ignored "Server.ListenAndServe at line 16 does not end when the context is done, so nothing can stop (*forgetful).Run; call Server.Shutdown then" @16 "(*forgetful).Run blocks here"
	server := &http.Server{Addr: ":8080", Handler: s}
	defer server.Close() // comes when it has ended
	if err := server.ListenAndServe(); err != nil {
		klog.Error(err)
	}
	return nil
}

type obedient struct{ http.ServeMux }

func (s *obedient) Run(ctx context.Context, _ int) error { // ok
	server := &http.Server{Addr: ":8080", Handler: s}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

// handed gives its server to somebody who may shut it down.
type handed struct {
	http.ServeMux
	keep func(*http.Server)
}

func (s *handed) Run(_ context.Context, _ int) error { // ok: others have it
	server := &http.Server{Addr: ":8080", Handler: s}
	s.keep(server)
	return server.ListenAndServe()
}
