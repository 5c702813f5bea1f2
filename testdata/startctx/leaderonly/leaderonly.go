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
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

type Profiler struct{ handler http.Handler }

var _ manager.Runnable = &Profiler{}

func (p *Profiler) Start(ctx context.Context) error { // want leaderonly "Profiler has no NeedLeaderElection, so that a manager runs it on the leader alone, and Server.Serve serves clients (line 37): on the other replicas it never runs" @37 "every replica needs this"
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

func (h *hooks) Start(ctx context.Context) error { // want leaderonly "hooks has no NeedLeaderElection, so that a manager runs it on the leader alone, and h.server.Start starts a server (line 43): on the other replicas it never runs" @43 "every replica needs this" @48 "it is handed to the manager here"
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

type worker struct {
	every  time.Duration
	reader client.Reader
}

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

func literal(mgr ctrl.Manager, l net.Listener) error {
	srv := &http.Server{ReadHeaderTimeout: time.Second}
	if err := mgr.Add(&worker{}); err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // want leaderonly "this RunnableFunc runs on the leader alone, and Server.Serve serves clients (line 85): on the other replicas it never runs" @85 "every replica needs this"
		go func() {
			<-ctx.Done()
			_ = srv.Close()
		}()
		return srv.Serve(l)
	}))
}

func hidden(mgr ctrl.Manager, e *everywhere) error {
	return mgr.Add(manager.RunnableFunc(e.Start)) // want leaderonly "everywhere says by NeedLeaderElection where it wants to run, and a RunnableFunc of its method hides that: it runs on the leader alone"
}

func elected(config *rest.Config, lead bool, l net.Listener) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: lead, LeaderElectionID: "x"})
	if err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // want leaderonly "this RunnableFunc runs on the leader alone, and http.Serve serves clients (line 100): on the other replicas it never runs" @100 "every replica needs this"
		go func() { <-ctx.Done(); _ = l.Close() }()
		return http.Serve(l, nil)
	}))
}

func alone(config *rest.Config, l net.Listener) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{HealthProbeBindAddress: ":8081"})
	if err != nil {
		return err
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // ok: this manager elects nobody
		go func() { <-ctx.Done(); _ = l.Close() }()
		return http.Serve(l, nil)
	}))
}

func namespaced(mgr ctrl.Manager, namespace string) (cache.Cache, error) {
	namespaces := map[string]cache.Config{namespace: {}}
	c, err := cache.New(mgr.GetConfig(), cache.Options{Scheme: mgr.GetScheme(), DefaultNamespaces: namespaces})
	if err != nil {
		return nil, err
	}
	return c, mgr.Add(c) // want leaderonly "the cache made with DefaultNamespaces at line 117 has no NeedLeaderElection, so that the manager starts it on the leader alone: on the other replicas its reads wait or fail" @117 "the cache is made here"
}

type reader struct{ reader client.Reader }

func (reader) Start(ctx context.Context) error { <-ctx.Done(); return nil }
func (reader) NeedLeaderElection() bool        { return false }

func read(mgr ctrl.Manager, r *reader) error {
	c, err := namespaced(mgr, "system")
	if err != nil {
		return err
	}
	r.reader = c
	return mgr.Add(r)
}

func led(mgr ctrl.Manager, namespaces map[string]cache.Config, w *worker) error {
	c, err := cache.New(mgr.GetConfig(), cache.Options{DefaultNamespaces: namespaces})
	if err != nil {
		return err
	}
	w.reader = c
	return mgr.Add(c) // ok: who reads it waits for the lease as well
}

func whole(mgr ctrl.Manager) (cache.Cache, error) {
	c, err := cache.New(mgr.GetConfig(), cache.Options{Scheme: mgr.GetScheme()})
	if err != nil {
		return nil, err
	}
	return c, mgr.Add(c) // ok: a cache of all namespaces says that it needs no leader
}

type wrapped struct {
	cache.Cache
}

func (wrapped) NeedLeaderElection() bool { return false }

func wrap(mgr ctrl.Manager, namespaces map[string]cache.Config) error {
	c, err := cache.New(mgr.GetConfig(), cache.Options{DefaultNamespaces: namespaces})
	if err != nil {
		return err
	}
	return mgr.Add(wrapped{c}) // ok: the wrapper says so
}

type bare struct { // want leaderonly "bare has no NeedLeaderElection, so that a manager runs it on the leader alone, and it is a cache, which every replica reads: on the other replicas it never runs"
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
