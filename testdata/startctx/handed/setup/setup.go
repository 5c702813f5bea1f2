// Package setup hands what others wrote to a manager.
package setup

import (
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/handed/jobs"
	"example.com/operators/startctx/handed/servers"
)

func Setup(mgr manager.Manager, work func()) error {
	for _, r := range []manager.Runnable{} {
		if err := mgr.Add(r); err != nil {
			return err
		}
	}
	if err := mgr.Add(&jobs.Sweeper{Sweep: work}); err != nil {
		return err
	}
	if err := mgr.Add(&jobs.Poller{Poll: work}); err != nil {
		return err
	}
	if err := mgr.Add(&jobs.Ticker{Tick: work}); err != nil {
		return err
	}
	if err := mgr.Add(&jobs.Silenced{Work: work}); err != nil {
		return err
	}
	if err := mgr.Add(&servers.Metrics{}); err != nil {
		return err
	}
	return mgr.Add(&servers.Everywhere{})
}
