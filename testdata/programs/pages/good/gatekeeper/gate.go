// Start throws its context away and serves until the listener is closed, which a second Runnable, that runs on every replica as well, does when the manager stops.
//
//adv:rule=startctx sub=ignored claim=no

package gatekeeper

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// everywhere is for Runnables that each replica has.
type everywhere struct{}

func (everywhere) NeedLeaderElection() bool { return false }

// Gate tells the ingress whether a Namespace may get traffic.
type Gate struct {
	everywhere
	srv *http.Server
	log logr.Logger

	mu   sync.RWMutex
	open map[string]bool
}

// closer ends the gate when the manager stops.
type closer struct {
	everywhere
	gate *Gate
}

var (
	_ manager.LeaderElectionRunnable = (*Gate)(nil)
	_ manager.LeaderElectionRunnable = (*closer)(nil)
)

func NewGate(addr string, log logr.Logger) *Gate {
	g := &Gate{log: log, open: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /may/{namespace}", g.may)
	g.srv = &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 2 * time.Second}
	return g
}

func (g *Gate) AddTo(mgr ctrl.Manager) error {
	for _, r := range []manager.Runnable{g, &closer{gate: g}} {
		if err := mgr.Add(r); err != nil {
			return fmt.Errorf("add %T: %w", r, err)
		}
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("gate").
		For(&corev1.Namespace{}).
		WithOptions(controller.Options{NeedLeaderElection: ptr.To(false)}).
		Complete(&watcher{Client: mgr.GetClient(), gate: g})
}

func (g *Gate) Start(context.Context) error {
	g.log.Info("gate is served", "addr", g.srv.Addr)
	if err := g.srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("gate: %w", err)
	}
	return nil
}

func (c *closer) Start(ctx context.Context) error {
	<-ctx.Done()
	grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.gate.srv.Shutdown(grace); err != nil {
		c.gate.log.Error(err, "some requests were cut off")
		return c.gate.srv.Close()
	}
	return nil
}

func (g *Gate) may(w http.ResponseWriter, req *http.Request) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if !g.open[req.PathValue("namespace")] {
		w.WriteHeader(http.StatusForbidden)
	}
}

func (g *Gate) set(ns string, open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if open {
		g.open[ns] = true
	} else {
		delete(g.open, ns)
	}
}

// watcher keeps the gate up to date.
type watcher struct {
	client.Client
	gate *Gate
}

func (w *watcher) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ns := &corev1.Namespace{}
	err := w.Get(ctx, req.NamespacedName, ns)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	w.gate.set(req.Name, err == nil && ns.Labels["traffic"] == "on" && ns.Status.Phase == corev1.NamespaceActive)
	return ctrl.Result{}, nil
}
