// Package wrapped hands its callbacks to a package that wraps leader election.
package wrapped

import (
	"context"
	"os"

	"example.com/operators/startctx/unmanaged/elector"
	"example.com/operators/startctx/unmanaged/severe"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
)

type controller interface{ Run(context.Context) }

func outer(ctx context.Context, config leaderelection.LeaderElectionConfig, cs []controller) {
	elector.Run(ctx, config, func(lead context.Context) {
		for _, c := range cs {
			c.Run(ctx) // want unmanaged "the function that elector.Run runs as leader runs c.Run with ctx and not with its own context, and nothing else stops it: it goes on when the lease is lost, beside the next leader" @17 "this one ends with the lease"
		}
		<-lead.Done()
	}, nil)
}

func severely(ctx context.Context, config leaderelection.LeaderElectionConfig, cs []controller) {
	severe.Run(ctx, config, func(lead context.Context) {
		for _, c := range cs {
			c.Run(ctx) // ok: the process ends with the lease
		}
		<-lead.Done()
	})
}

func own(ctx context.Context, config leaderelection.LeaderElectionConfig, cs []controller) {
	elector.Run(ctx, config, func(ctx context.Context) {
		for _, c := range cs {
			c.Run(ctx) // ok: its own context
		}
	}, nil)
}

func exits(ctx context.Context, config leaderelection.LeaderElectionConfig, informer cache.SharedInformer) {
	elector.Run(ctx, config, func(context.Context) {
		informer.Run(ctx.Done()) // ok: the process ends with the lease
	}, func() { os.Exit(1) })
}

func config(base leaderelection.LeaderElectionConfig, informer cache.SharedInformer, stopCh <-chan struct{}) *leaderelection.LeaderElectionConfig {
	return &leaderelection.LeaderElectionConfig{
		Lock: base.Lock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				startAll(informer, stopCh) // want unmanaged "OnStartedLeading runs startAll with stopCh and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @52 "this one ends with the lease"
			},
			OnStoppedLeading: func() { println("no leader any more") },
		},
	}
}

func startAll(informer cache.SharedInformer, stopCh <-chan struct{}) { go informer.Run(stopCh) }
