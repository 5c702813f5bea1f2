// Package two hands some of it to another manager.
package two

import (
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/handed/jobs"
	"example.com/operators/startctx/handed/servers"
)

func Setup(mgr manager.Manager, work func()) error {
	if err := mgr.Add(manager.RunnableFunc((&servers.Metrics{}).Start)); err != nil { // want leaderonly "this RunnableFunc runs on the leader alone, and m.Server.ListenAndServe serves clients (servers.go:17): on the other replicas it never runs" @servers.go:17 "every replica needs this"
		return err
	}
	return mgr.Add(&jobs.Sweeper{Sweep: work})
}
