package lostlease

import (
	"context"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

type elector struct {
	config leaderelection.LeaderElectionConfig
	leads  chan bool
}

// Start stands for the lease.
func (e *elector) Start(ctx context.Context) error {
	config := e.config
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) { klog.Info("leads") },
		OnStoppedLeading: func() { klog.Info("lost") },
	}
	leaderelection.RunOrDie(ctx, config) // want unmanaged "leaderelection.RunOrDie comes back when the lease is lost, and the manager takes the end of (*elector).Start without an error for a normal one: nothing stands for it again, and nothing ends the process, so that this replica goes on and never leads any more; end the process then, or stand again in a loop"
	return nil
}

type failing struct{ elector }

// Start tells the manager that the lease is lost.
func (f *failing) Start(ctx context.Context) error {
	config := f.config
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) { klog.Info("leads") },
		OnStoppedLeading: func() { klog.Info("lost") },
	}
	leaderelection.RunOrDie(ctx, config) // ok: the manager ends
	return context.Canceled
}

type telling struct{ elector }

// Start tells who reads the channel.
func (t *telling) Start(ctx context.Context) error {
	config := t.config
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) { t.leads <- true },
		OnStoppedLeading: func() { t.leads <- false },
	}
	leaderelection.RunOrDie(ctx, config) // ok: what comes of that is not known
	return nil
}

func add(mgr ctrl.Manager) error {
	for _, e := range []interface {
		Start(context.Context) error
	}{&elector{}, &failing{}, &telling{}} {
		if err := mgr.Add(e); err != nil {
			return err
		}
	}
	return nil
}
