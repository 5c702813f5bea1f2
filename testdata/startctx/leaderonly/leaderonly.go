// Package leaderonly has Runnables that every replica needs, with and without a word about it.
package leaderonly

import (
	"context"
	"net"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

type Profiler struct{ handler http.Handler }

var _ manager.Runnable = &Profiler{}

func (p *Profiler) Start(ctx context.Context) error { // want leaderonly "Profiler has no NeedLeaderElection method, so it runs on the leader only, but Server.Serve serves clients (line 36); add one that returns false" @36 "every replica needs this"
	l, err := net.Listen("tcp", ":6060")
	if err != nil {
		return err
	}
	return p.serve(ctx, l)
}

func (p *Profiler) serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: p.handler, ReadHeaderTimeout: time.Second}
	go func() {
		<-ctx.Done()
		_ = srv.Close()
	}()
	return srv.Serve(l)
}

type hooks struct{ server webhook.Server }

func (h *hooks) Start(ctx context.Context) error { // want leaderonly "hooks has no NeedLeaderElection method, so it runs on the leader only, but h.server.Start starts a server (line 42); add one that returns false" @42 "every replica needs this" @47 "it is added to the manager here"
	return h.server.Start(ctx)
}

func register(mgr ctrl.Manager) error {
	var r manager.Runnable = &hooks{server: webhook.NewServer(webhook.Options{})}
	return mgr.Add(r)
}

type everywhere struct{ server webhook.Server }

func (e *everywhere) Start(ctx context.Context) error { return e.server.Start(ctx) } // ok: it says that it needs no leader
func (e *everywhere) NeedLeaderElection() bool        { return false }

func registerEverywhere(mgr ctrl.Manager) error { return mgr.Add(&everywhere{}) }

func registerWorker(mgr ctrl.Manager) error { return mgr.Add(&worker{}) }

type worker struct{ every time.Duration }

func (w *worker) Start(ctx context.Context) error { // ok: what it does is for the leader alone
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

type shown struct{ l net.Listener }

func (s *shown) Start(ctx context.Context) error { // want leaderonly "shown has no NeedLeaderElection method, so it runs on the leader only, but http.Serve serves clients (line 77); add one that returns false" @77 "every replica needs this" @85 "it is added to the manager here"
	go func() { <-ctx.Done(); _ = s.l.Close() }()
	return http.Serve(s.l, nil)
}

func elected(config *rest.Config, lead bool, l net.Listener) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: lead, LeaderElectionID: "x"})
	if err != nil {
		return err
	}
	return mgr.Add(&shown{l})
}

type mirror struct{ l net.Listener }

func (m *mirror) Start(ctx context.Context) error { // ok: its manager elects nobody
	go func() { <-ctx.Done(); _ = m.l.Close() }()
	return http.Serve(m.l, nil)
}

func alone(config *rest.Config, l net.Listener) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{HealthProbeBindAddress: ":8081"})
	if err != nil {
		return err
	}
	return mgr.Add(&mirror{l})
}

type bare struct { // want leaderonly "bare has no NeedLeaderElection method, so it runs on the leader only, but it is a cache, which every replica reads; add one that returns false"
	cache.Cache
}

func strip(mgr ctrl.Manager, c cache.Cache) error {
	return mgr.Add(&bare{c})
}

func second(mgr ctrl.Manager) error {
	c, err := cluster.New(mgr.GetConfig())
	if err != nil {
		return err
	}
	return mgr.Add(c) // ok: a manager knows a cluster by its GetCache
}

type Own struct{}

func (o *Own) Start(ctx context.Context) error { // ok: the package starts it itself
	go func() { <-ctx.Done() }()
	return http.ListenAndServe(":1234", nil)
}

func run(ctx context.Context, o *Own) error { return o.Start(ctx) }
