// Package severe wraps leader election, and ends the process with the lease.
package severe

import (
	"context"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
)

// Run works while it leads.
func Run(ctx context.Context, config leaderelection.LeaderElectionConfig, work func(context.Context)) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: work,
		OnStoppedLeading: func() { klog.FlushAndExit(klog.ExitFlushTimeout, 1) },
	}
	leaderelection.RunOrDie(ctx, config)
}
