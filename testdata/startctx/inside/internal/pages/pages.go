// Package pages serves pages. Who hands them to managers is in this module.
package pages

import (
	"context"
	"net/http"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A Page is handed to a manager that elects a leader.
type Page struct{ Server http.Server }

func (p *Page) Start(ctx context.Context) error { // want leaderonly "Page has no NeedLeaderElection, so that a manager runs it on the leader alone, and p.Server.ListenAndServe serves clients (pages.go:20): on the other replicas it never runs" @20 "every replica needs this" @setup.go:21 "it is handed to the manager here"
	go func() {
		<-ctx.Done()
		_ = p.Server.Close()
	}()
	return p.Server.ListenAndServe()
}

// A Sole one is handed to a manager that elects none.
type Sole struct{ Server http.Server }

func (p *Sole) Start(ctx context.Context) error { // ok: it runs on each replica
	go func() {
		<-ctx.Done()
		_ = p.Server.Close()
	}()
	return p.Server.ListenAndServe()
}

// A Command starts itself.
type Command struct{ Server http.Server }

func (p *Command) Start(ctx context.Context) error { // ok: no manager has it
	go func() {
		<-ctx.Done()
		_ = p.Server.Close()
	}()
	return p.Server.ListenAndServe()
}

// A Local one is handed over here already.
type Local struct{ Server http.Server }

func (p *Local) Start(ctx context.Context) error { // want leaderonly "Local has no NeedLeaderElection, so that a manager runs it on the leader alone, and p.Server.ListenAndServe serves clients (line 53): on the other replicas it never runs" @53 "every replica needs this" @57 "it is handed to the manager here"
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
