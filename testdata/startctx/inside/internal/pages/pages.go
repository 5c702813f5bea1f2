// Package pages serves pages. Who hands them to managers is in this module.
package pages

import (
	"context"
	"net/http"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A Local one is handed over here already.
type Local struct{ Server http.Server }

func (p *Local) Start(ctx context.Context) error { // want leaderonly "Local has no NeedLeaderElection method, so it runs on the leader only, but p.Server.ListenAndServe serves clients (line 20); add one that returns false" @20 "every replica needs this" @24 "it is added to the manager here"
	go func() {
		<-ctx.Done()
		_ = p.Server.Close()
	}()
	return p.Server.ListenAndServe()
}

// Add hands it over.
func Add(mgr ctrl.Manager) error { return mgr.Add(&Local{}) }

var _ manager.Runnable = (*Asserted)(nil)

// An Asserted one is handed to a manager that elects none.
type Asserted struct{ Server http.Server }

func (p *Asserted) Start(ctx context.Context) error { // ok
	go func() {
		<-ctx.Done()
		_ = p.Server.Close()
	}()
	return p.Server.ListenAndServe()
}
