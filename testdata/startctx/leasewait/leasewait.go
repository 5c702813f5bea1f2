// Package leasewait has run loops that wait until they lead.
package leasewait

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

type operator struct{ lock resourcelock.Interface }

func (o *operator) process() {}

type background struct{ operator }

// Run leads as long as the process lives.
func (b *background) Run(stop <-chan struct{}) error {
	ctx := context.Background()
	b.lead(ctx)
	wait.Until(b.process, time.Minute, stop)
	return nil
}

func (b *background) lead(ctx context.Context) {
	leading := make(chan struct{})
	go func() {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: b.lock,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- struct{}{} },
				OnStoppedLeading: func() { klog.Fatal("lost") },
			},
		})
	}()
	<-leading // want ignored "(*background).lead waits here until this replica leads, whatever becomes of its stop channel: on one that does not lead nothing ends (*background).Run when it is asked to stop; wait for both in a select" @34 "only OnStartedLeading lets it go on" @21 "this is not looked at meanwhile"
}

type silent struct{ operator }

// Run has an election that ends, and says nothing to anybody then.
func (s *silent) Run(ctx context.Context) {
	leading := make(chan struct{})
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: s.lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(leading) },
			OnStoppedLeading: func() { klog.Info("lost") },
		},
	})
	<-leading // want ignored "(*silent).Run waits here until this replica leads, whatever becomes of its context: on one that does not lead nothing ends (*silent).Run when it is asked to stop; wait for both in a select" @50 "only OnStartedLeading lets it go on" @45 "this is not looked at meanwhile"
	wait.UntilWithContext(ctx, func(context.Context) { s.process() }, time.Minute)
}

type exits struct{ operator }

// Run has an election that ends with the context, and the process with it.
func (e *exits) Run(ctx context.Context) {
	leading := make(chan struct{})
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: e.lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(leading) },
			OnStoppedLeading: func() { klog.Fatal("lost") },
		},
	})
	<-leading // ok: the end of the election ends the process
	wait.UntilWithContext(ctx, func(context.Context) { e.process() }, time.Minute)
}

type both struct{ operator }

// Run looks at both.
func (b *both) Run(ctx context.Context) {
	leading := make(chan struct{})
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: b.lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(leading) },
			OnStoppedLeading: func() { klog.Info("lost") },
		},
	})
	select {
	case <-leading: // ok
	case <-ctx.Done():
		return
	}
	wait.UntilWithContext(ctx, func(context.Context) { b.process() }, time.Minute)
}

type told struct{ operator }

// Run is told of either end.
func (t *told) Run(ctx context.Context) {
	over := make(chan struct{}, 2)
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: t.lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { over <- struct{}{} },
			OnStoppedLeading: func() { over <- struct{}{} },
		},
	})
	<-over // ok: the end of the election ends it, too
	wait.UntilWithContext(ctx, func(context.Context) { t.process() }, time.Minute)
}

type beside struct{ operator }

// Run has a goroutine that ends it.
func (b *beside) Run(ctx context.Context) {
	leading := make(chan struct{}, 2)
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: b.lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leading <- struct{}{} },
			OnStoppedLeading: func() { klog.Info("lost") },
		},
	})
	go func() {
		<-ctx.Done()
		leading <- struct{}{}
	}()
	<-leading // ok: the goroutine ends it
	wait.UntilWithContext(ctx, func(context.Context) { b.process() }, time.Minute)
}
