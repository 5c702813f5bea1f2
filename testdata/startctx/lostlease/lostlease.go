// Package lostlease goes on when its lease is lost.
package lostlease

import (
	"context"
	"os"
	"sync"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"example.com/operators/startctx/lostlease/replicas"
)

func serve(ctx context.Context, e *replicas.Election) {
	go e.Once(ctx) // want unmanaged "the goroutine that stands for the lease ends with it: nothing stands for it again, and nothing ends the process, so that this replica goes on and never leads any more; end the process then, or stand again in a loop"
	<-ctx.Done()
}

func serveAll(ctx context.Context, e *replicas.Election, work func(context.Context) error) error {
	go func() { // want unmanaged "the goroutine that stands for the lease ends with it: nothing stands for it again, and nothing ends the process, so that this replica goes on and never leads any more; end the process then, or stand again in a loop"
		klog.Info("standing")
		if err := e.Start(ctx); err != nil {
			klog.Error(err)
		}
	}()
	return work(ctx)
}

func hears(ctx context.Context, e *replicas.Election, work func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel() // ok: the work ends with the lease
		e.Once(ctx)
	}()
	return work(ctx)
}

func counts(ctx context.Context, e *replicas.Election) {
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done() // ok: who waits for it ends
		e.Once(ctx)
	}()
	all.Wait()
}

func exits(ctx context.Context, e *replicas.Election) {
	go func() {
		e.Once(ctx) // ok: the process ends
		os.Exit(1)
	}()
}

func fails(ctx context.Context, e *replicas.Election, failed chan<- error) {
	go func() {
		failed <- e.Fails(ctx) // ok: somebody is told
	}()
}

func always(ctx context.Context, e *replicas.Election) {
	go e.Always(ctx) // ok: it stands again
}

func again(ctx context.Context, e *replicas.Election) {
	go func() {
		for {
			e.Once(ctx) // ok: it stands again
		}
	}()
}

type flag struct {
	mu    sync.Mutex
	leads bool
}

func (f *flag) set(leads bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leads = leads
}

func run(lock resourcelock.Interface) {
	f := &flag{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f.stand(ctx, lock) // want unmanaged "f.stand comes back when the lease is lost, and run waits for ever behind it: nothing stands for it again, and nothing ends the process, so that this replica goes on and never leads any more; end the process then, or stand again in a loop"
	select {}
}

func (f *flag) stand(ctx context.Context, lock resourcelock.Interface) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { f.set(true) },
			OnStoppedLeading: func() { f.set(false) },
		},
	})
}

func comesBack(lock resourcelock.Interface) {
	f := &flag{}
	f.stand(context.Background(), lock) // ok: the process ends with its main function
}

func told(ctx context.Context, lock resourcelock.Interface, lost chan<- struct{}) {
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{ // ok: somebody is told
		Lock: lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {},
			OnStoppedLeading: func() { close(lost) },
		},
	})
}

func ends(lock resourcelock.Interface, waits bool) {
	f := &flag{}
	f.stand(context.Background(), lock) // ok: the process may end
	if waits {
		select {}
	}
	os.Exit(1)
}

func atTicks(ctx context.Context, lock resourcelock.Interface, ticks <-chan struct{}) {
	f := &flag{}
	for range ticks {
		go f.stand(ctx, lock) // ok: it stands again
	}
}
