// Package beside starts what calls the API server beside the manager, and with it.
package beside

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type gardener struct {
	client.Client
	pods int
}

// round counts the pods again and again.
func (g *gardener) round(ctx context.Context) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			g.count(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (g *gardener) count(ctx context.Context) {
	pods := &corev1.PodList{}
	if err := g.List(ctx, pods); err == nil {
		g.pods = len(pods.Items)
	}
}

// water calls nobody.
func (g *gardener) water(ctx context.Context) {
	for {
		select {
		case <-time.After(time.Minute):
			g.pods++
		case <-ctx.Done():
			return
		}
	}
}

func setup(mgr ctrl.Manager) error {
	g := &gardener{Client: mgr.GetClient()}
	go g.round(context.Background()) // want detached "setup starts (*gardener).round beside the manager, with a context that never ends: it calls the API server on every replica, leader or not, before the caches are there, and goes on when the manager has stopped; add it to the manager" @20 "it goes on until its context ends"
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(nil)
}

// setupWith lets the manager start it.
func setupWith(mgr ctrl.Manager) error {
	g := &gardener{Client: mgr.GetClient()}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { g.round(ctx); return nil })) // ok
}

// setupUntil is given a context that ends.
func setupUntil(ctx context.Context, mgr ctrl.Manager) {
	g := &gardener{Client: mgr.GetClient()}
	go g.round(ctx) // ok
}

func setupWater(mgr ctrl.Manager) {
	g := &gardener{Client: mgr.GetClient()}
	go g.water(context.Background()) // ok: it is nobody's business
}

// setupLeader waits for the lease.
func setupLeader(mgr ctrl.Manager) {
	g := &gardener{Client: mgr.GetClient()}
	go g.lead(context.Background(), mgr) // ok: on the leader
}

func (g *gardener) lead(ctx context.Context, mgr ctrl.Manager) {
	<-mgr.Elected()
	for {
		select {
		case <-time.After(time.Minute):
			g.count(ctx)
		case <-ctx.Done():
			return
		}
	}
}
