// Command leader starts servers as long as it leads.
package main

import (
	"context"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"example.com/operators/optin/startctx/uncalled/served"
)

func main() {
	var config leaderelection.LeaderElectionConfig
	run := func(ctx context.Context) {
		stop := ctx.Done()
		go new(served.Outlived).Run(stop)
		new(served.Called).Run(stop)
	}
	if config.Name == "" {
		run(context.TODO())
		panic("unreachable")
	}
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: run,
		OnStoppedLeading: func() { klog.Fatal("the lease is lost") },
	}
	leaderelection.RunOrDie(context.TODO(), config)
	panic("unreachable")
}

// again leads again and again.
func again(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) { go new(served.Asked).Run(ctx.Done()) },
		OnStoppedLeading: func() { klog.Info("the lease is lost") },
	}
	for ctx.Err() == nil {
		leaderelection.RunOrDie(ctx, config)
	}
}

// part leads, or works for a time.
func part(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	run := func(ctx context.Context) { go new(served.Parted).Run(ctx.Done()) }
	short, cancel := context.WithCancel(ctx)
	run(short)
	cancel()
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: run,
		OnStoppedLeading: func() { klog.Fatal("the lease is lost") },
	}
	leaderelection.RunOrDie(ctx, config)
}

var _ = []any{again, part}
