// Package replicas stands for leases, for programs that it does not know.
package replicas

import (
	"context"
	"sync/atomic"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// An Election knows whether this replica leads.
type Election struct {
	Leads  atomic.Bool
	config leaderelection.LeaderElectionConfig
}

// New makes an election for a lock.
func New(lock resourcelock.Interface) *Election {
	e := &Election{}
	e.config = leaderelection.LeaderElectionConfig{
		Lock: lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { e.Leads.Store(true) },
			OnStoppedLeading: func() {
				klog.Info("lost")
				e.Leads.Store(false)
			},
		},
	}
	return e
}

// Once stands once.
func (e *Election) Once(ctx context.Context) { leaderelection.RunOrDie(ctx, e.config) }

// Start stands once, and says nothing.
func (e *Election) Start(ctx context.Context) error {
	defer klog.Flush()
	leaderelection.RunOrDie(ctx, e.config)
	if ctx.Err() != nil {
		klog.Info("stopped")
	}
	return ctx.Err()
}

// Fails says that the lease is lost.
func (e *Election) Fails(ctx context.Context) error {
	leaderelection.RunOrDie(ctx, e.config)
	return context.Canceled
}

// Always stands again.
func (e *Election) Always(ctx context.Context) {
	for ctx.Err() == nil {
		leaderelection.RunOrDie(ctx, e.config)
	}
}
