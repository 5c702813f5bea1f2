// Package setup hands what others wrote to a manager.
package setup

import (
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/handed/jobs"
)

func Setup(mgr manager.Manager, work func()) error {
	if err := mgr.Add(&jobs.Sweeper{Sweep: work}); err != nil {
		return err
	}
	if err := mgr.Add(&jobs.Ticker{Tick: work}); err != nil {
		return err
	}
	return mgr.Add(&jobs.Silenced{Work: work})
}
