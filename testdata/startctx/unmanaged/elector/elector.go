// Package elector wraps leader election.
package elector

import (
	"context"

	"k8s.io/client-go/tools/leaderelection"
)

// Run works while it leads.
func Run(ctx context.Context, config leaderelection.LeaderElectionConfig, work func(context.Context), stop func()) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: work,
		OnStoppedLeading: func() { // ok: whoever hands in stop knows
			if stop != nil {
				stop()
			}
		},
	}
	leaderelection.RunOrDie(ctx, config)
}
