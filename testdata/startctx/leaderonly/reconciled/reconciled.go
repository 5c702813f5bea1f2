// Package reconciled serves what it has reconciled.
package reconciled

import (
	"context"
	"net/http"

	ctrl "sigs.k8s.io/controller-runtime"
)

// shelf keeps what is ready.
type shelf struct{ ready map[string]bool }

func (s *shelf) put(name string) { s.ready[name] = true }

func (s *shelf) has(name string) bool { return s.ready[name] }

// Allocator gives away what its Reconcile has found.
type Allocator struct{ shelf *shelf }

// Reconcile runs on the leader alone.
func (a *Allocator) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	a.shelf.put(req.Name)
	return ctrl.Result{}, nil
}

// Start serves where the shelf is filled.
func (a *Allocator) Start(ctx context.Context) error { // ok: there is nothing to serve elsewhere
	server := &http.Server{Addr: ":8080", Handler: http.HandlerFunc(a.allocate)}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

func (a *Allocator) allocate(w http.ResponseWriter, r *http.Request) {
	if a.shelf.has(r.URL.Path) {
		w.WriteHeader(http.StatusOK)
	}
}

// Lister fills its shelf by itself, too.
type Lister struct{ shelf *shelf }

// Reconcile runs on the leader alone.
func (l *Lister) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	l.shelf.put(req.Name)
	return ctrl.Result{}, nil
}

// Start has something to serve everywhere.
func (l *Lister) Start(ctx context.Context) error { // want leaderonly "Lister has no NeedLeaderElection method, so it runs on the leader only, but Server.ListenAndServe serves clients (line 60); add one that returns false" @60 "every replica needs this"
	l.shelf.put("always")
	server := &http.Server{Addr: ":8080", Handler: http.HandlerFunc(l.list)}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

func (l *Lister) list(w http.ResponseWriter, r *http.Request) {
	if l.shelf.has(r.URL.Path) {
		w.WriteHeader(http.StatusOK)
	}
}
