// Package extension hides the need of a server that it starts, and asks a manager for one of several Runnables.
package extension

import (
	"context"
	"crypto/tls"

	"example.com/operators/startctx/leaderonly/hookserver"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type Server struct{ name string }

func (s *Server) Start(ctx context.Context) error { // want leaderonly "Server has no NeedLeaderElection method, so it runs on the leader only, but hooks.Start starts a server (line 18); add one that returns false" @18 "every replica needs this"
	hooks := hookserver.New(s.name)
	return hooks.Start(ctx)
}

type page struct{ server *hookserver.Server }

func (p *page) Start(ctx context.Context) error { return p.server.Start(ctx) } // want leaderonly "page has no NeedLeaderElection method, so it runs on the leader only, but p.server.Start starts a server (line 23); add one that returns false" @23 "every replica needs this" @40 "it is added to the manager here"

type named struct{ pages *hookserver.Pages }

func (n *named) Start(ctx context.Context) error { return n.pages.Start(ctx) } // want leaderonly "named has no NeedLeaderElection method, so it runs on the leader only, but n.pages.Start starts a server (line 27); add one that returns false" @27 "every replica needs this"

var _ manager.Runnable = &named{}

type idle struct{}

func (idle) Start(ctx context.Context) error { <-ctx.Done(); return nil } // ok: the leader alone waits

func choose(mgr ctrl.Manager, serve bool) error {
	var r manager.Runnable = idle{}
	if serve {
		r = &page{}
	}
	return mgr.Add(r)
}

func watch(mgr ctrl.Manager, w *certwatcher.CertWatcher) error {
	return mgr.Add(w) // ok: since it has NeedLeaderElection
}

type keeper struct{ *certwatcher.CertWatcher }

func (k keeper) Start(ctx context.Context) error { return k.CertWatcher.Start(ctx) }

func watchMore(mgr ctrl.Manager, k keeper) error {
	return mgr.Add(k) // ok: promoted
}

type source interface {
	manager.Runnable
	GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error)
}

func sourceOf(files string) source {
	switch files {
	case "":
		return nil
	case "watch":
		return &keeper{}
	}
	return &hookserver.Files{Name: files}
}

func addSource(mgr ctrl.Manager, files string) error {
	s := sourceOf(files)
	if s == nil {
		return nil
	}
	return mgr.Add(s) // want leaderonly "Files has no NeedLeaderElection method, so it runs on the leader only, but it manages this replica's serving certificate; add one that returns false"
}
