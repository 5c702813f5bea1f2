// Package once does something once, under a lease.
package once

import (
	"context"
	"net/http"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
)

func migrates(ctx context.Context, config leaderelection.LeaderElectionConfig, server *http.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			klog.Info("migrating")
			cancel()
		},
		OnStoppedLeading: func() { klog.Info("done") },
	}
	leaderelection.RunOrDie(ctx, config) // ok: it is given back when that is done
	return server.ListenAndServe()
}
