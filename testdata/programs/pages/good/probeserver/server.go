// No bug: Start of the server does not look at its context, but a second Runnable, which runs on every replica as well, shuts the server down when the manager ends.
//
//adv:rule=startctx sub=ignored claim=no

// Package probeserver answers which nodes may be drained.
package probeserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type everyReplica struct{}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (everyReplica) NeedLeaderElection() bool { return false }

type listener struct {
	everyReplica
	srv *http.Server
}

type drainer struct {
	everyReplica
	srv   *http.Server
	grace time.Duration
}

var (
	_ manager.LeaderElectionRunnable = (*listener)(nil)
	_ manager.LeaderElectionRunnable = (*drainer)(nil)
)

// Start implements manager.Runnable.
func (l *listener) Start(_ context.Context) error {
	if err := l.srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.srv.Addr, err)
	}
	return nil
}

// Start implements manager.Runnable.
func (d *drainer) Start(ctx context.Context) error {
	<-ctx.Done()
	log.FromContext(ctx).Info("closing the drain endpoint", "grace", d.grace)
	sctx, cancel := context.WithTimeout(context.Background(), d.grace)
	defer cancel()
	if err := d.srv.Shutdown(sctx); err != nil {
		return errors.Join(err, d.srv.Close())
	}
	return nil
}

type budgets struct {
	reader client.Reader
}

func (b *budgets) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	pdbs := &policyv1.PodDisruptionBudgetList{}
	if err := b.reader.List(req.Context(), pdbs, client.InNamespace(req.URL.Query().Get("namespace"))); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	blocked := []string{}
	for i := range pdbs.Items {
		if pdbs.Items[i].Status.DisruptionsAllowed == 0 {
			blocked = append(blocked, pdbs.Items[i].Namespace+"/"+pdbs.Items[i].Name)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{"blocked": blocked}); err != nil {
		log.FromContext(req.Context()).Error(err, "answer not written")
	}
}

// AddToManager serves on addr.
func AddToManager(mgr ctrl.Manager, addr string) error {
	mux := http.NewServeMux()
	mux.Handle("GET /drain", &budgets{reader: mgr.GetClient()})
	srv := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	for _, r := range []manager.Runnable{&listener{srv: srv}, &drainer{srv: srv, grace: 5 * time.Second}} {
		if err := mgr.Add(r); err != nil {
			return fmt.Errorf("add %T: %w", r, err)
		}
	}
	return nil
}
