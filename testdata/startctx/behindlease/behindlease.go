// Package behindlease serves behind its election.
package behindlease

import (
	"context"
	"net/http"
	"os"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"example.com/operators/startctx/behindlease/probe"
)

func last(ctx context.Context, config leaderelection.LeaderElectionConfig, highly bool) {
	if highly {
		probe.Lead(ctx, config) // want leaderonly "probe.Lead stands for the lease in place, and comes back when it is lost: probe.Serve, behind it, serves nobody until then, neither on the leader nor on a replica that waits; start that first, or run the election in a goroutine" @19 "this is not come to"
	}
	klog.Fatal(probe.Serve())
}

func here(ctx context.Context, elector *leaderelection.LeaderElector, server *http.Server) error {
	elector.Run(ctx) // want leaderonly "elector.Run stands for the lease in place, and comes back when it is lost: server.ListenAndServe, behind it, serves nobody until then, neither on the leader nor on a replica that waits; start that first, or run the election in a goroutine" @24 "this is not come to"
	return server.ListenAndServe()
}

func first(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	go func() {
		if err := probe.Serve(); err != nil {
			klog.Error(err)
		}
	}()
	probe.Lead(ctx, config) // ok: it is served by then
	klog.Info("lost")
}

func beside(ctx context.Context, config leaderelection.LeaderElectionConfig) error {
	probe.Background(ctx, config) // ok: it comes back at once
	return probe.Serve()
}

func exits(ctx context.Context, config leaderelection.LeaderElectionConfig, alone bool) error {
	if !alone {
		probe.Lead(ctx, config) // ok: the process ends with the lease
		os.Exit(1)
	}
	return probe.Serve()
}

func decided(ctx context.Context, config leaderelection.LeaderElectionConfig, alone bool) error {
	if !alone {
		probe.Lead(ctx, config) // ok: nothing comes behind it
	}
	if alone {
		return probe.Serve()
	}
	return nil
}
