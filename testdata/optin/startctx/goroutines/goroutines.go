// Package goroutines has loops for whose end nobody waits.
package goroutines

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type ticking struct{ every time.Duration }

var _ manager.Runnable = &ticking{}

func (t *ticking) Start(ctx context.Context) error {
	go func() {
		tick := time.NewTicker(t.every)
		for range tick.C { // want loop "the tick in a loop of (*ticking).Start that never looks at the context of (*ticking).Start (line 18): the loop goes on after the manager has stopped"
			work()
		}
	}()
	go wait.Forever(work, t.every) // want loop "wait.Forever never returns: what (*ticking).Start started goes on when the manager stops"
	<-ctx.Done()
	return nil
}

type follower struct{ watch func(context.Context) error }

func (f *follower) Run(ctx context.Context) {
	for {
		if f.watch(ctx) != nil {
			time.Sleep(time.Second) // want loop "time.Sleep in a loop of (*follower).Run that nothing leaves at the end of the context of (*follower).Run (line 32): the loop goes on after it was asked to stop"
		}
	}
}

func once(client kubernetes.Interface) informers.SharedInformerFactory {
	f := informers.NewSharedInformerFactory(client, 0)
	f.Start(make(chan struct{})) // want loop "f.Start gets a stop channel that is made at line 42 and that nothing can close: what once starts goes on forever" @42 "the channel is made here, and is not handed to anyone who could close it"
	return f
}

var _ = once

func work() {}
