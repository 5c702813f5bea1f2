// Package lease has callbacks of an election that are methods.
package lease

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

type collector struct {
	lifetime context.Context
	term     context.Context
	workers  sync.WaitGroup
}

func newCollector(ctx context.Context) *collector { return &collector{lifetime: ctx} }

func (c *collector) collect(context.Context) {}

func (c *collector) following() { klog.Info("following") }

func (c *collector) elect(ctx context.Context, lock resourcelock.Interface, lead func(context.Context)) {
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: lead, OnStoppedLeading: c.following},
		})
	}, time.Second)
}

// lead works until the end of the process.
func (c *collector) lead(context.Context) {
	c.workers.Go(func() {
		wait.UntilWithContext(c.lifetime, c.collect, time.Minute) // want unmanaged "OnStartedLeading runs wait.UntilWithContext with c.lifetime and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @37 "this one ends with the lease"
	})
}

func (c *collector) outlives(ctx context.Context, lock resourcelock.Interface) error {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: c.lead, OnStoppedLeading: c.following},
	})
	if err != nil {
		return err
	}
	wait.UntilWithContext(ctx, elector.Run, time.Second)
	c.workers.Wait()
	return nil
}

// leadATerm keeps the context of its term in the field.
func (c *collector) leadATerm(ctx context.Context) {
	c.term = ctx
	c.workers.Go(func() {
		wait.UntilWithContext(c.term, c.collect, time.Minute) // ok
	})
}

func (c *collector) ends(ctx context.Context, lock resourcelock.Interface) error {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: c.leadATerm, OnStoppedLeading: c.following},
	})
	if err != nil {
		return err
	}
	wait.UntilWithContext(ctx, elector.Run, time.Second)
	return nil
}

// leadWith hands its own context on.
func (c *collector) leadWith(ctx context.Context) {
	c.workers.Go(func() {
		wait.UntilWithContext(ctx, c.collect, time.Minute) // ok
	})
}

// leadThrough has others run what it is given.
func (c *collector) leadThrough(ctx context.Context) {
	turn, cancel := context.WithCancel(ctx)
	defer cancel()
	start(turn, func(ctx context.Context) {
		wait.UntilWithContext(ctx, c.collect, time.Minute) // ok: by the context that it is given
	})
	<-ctx.Done()
}

func start(ctx context.Context, run func(context.Context)) { go run(ctx) }

func (c *collector) goesThrough(ctx context.Context, lock resourcelock.Interface) error {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: c.leadThrough, OnStoppedLeading: c.following},
	})
	if err != nil {
		return err
	}
	wait.UntilWithContext(ctx, elector.Run, time.Second)
	return nil
}

func (c *collector) handsOn(ctx context.Context, lock resourcelock.Interface) error {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: c.leadWith, OnStoppedLeading: c.following},
	})
	if err != nil {
		return err
	}
	wait.UntilWithContext(ctx, elector.Run, time.Second)
	return nil
}

var (
	_ = newCollector
	_ = (*collector).elect
	_ = (*collector).outlives
	_ = (*collector).ends
	_ = (*collector).handsOn
	_ = (*collector).goesThrough
)
