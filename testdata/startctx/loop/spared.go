package loop

import (
	"context"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

type checkup struct{ ran int }

func (c *checkup) run() { c.ran++ }

func (c *checkup) once() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		select {
		case <-ctx.Done(): // ok: it is asked when the time has just begun, and never again
			klog.Info("too late")
		default:
			c.run()
			return
		}
	}
}

func (c *checkup) behind() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c.run()
	for {
		select {
		case <-ctx.Done(): // want loop "case <-WithTimeout().Done() does not leave the loop: once the context is done, the loop in (*checkup).behind busy-waits until another case leaves it; return, or break out of the loop"
			klog.Info("too late")
		default:
			c.run()
			return
		}
	}
}

func (c *checkup) elected(ctx context.Context, lock resourcelock.Interface) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				for {
					select {
					case <-ctx.Done(): // ok: the process ends with the lease
						klog.Info("no leader any more")
					default:
						c.run()
						time.Sleep(time.Minute)
					}
				}
			},
			OnStoppedLeading: func() { klog.Fatal("the lease is lost") },
		},
	})
}

func (c *checkup) electedAgain(ctx context.Context, lock resourcelock.Interface) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				for {
					select {
					case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*checkup).electedAgain busy-waits forever; return, or break out of the loop"
						klog.Info("no leader any more")
					default:
						c.run()
						time.Sleep(time.Minute)
					}
				}
			},
			OnStoppedLeading: func() {
				if c.ran > 0 {
					klog.Fatal("the lease is lost")
				}
			},
		},
	})
}
