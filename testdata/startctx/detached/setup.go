package detached

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type counter struct {
	client.Client
	pods int
}

func (c *counter) SetupWithManager(mgr ctrl.Manager) error {
	c.Client = mgr.GetClient()
	c.check()
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(c)
}

// Reconcile counts with a context that ends.
func (c *counter) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, c.count(ctx)
}

// count shares its context with a literal.
func (c *counter) count(ctx context.Context) error {
	pods := &corev1.PodList{}
	list := func() error { return c.List(ctx, pods) }
	if err := list(); err != nil {
		return err
	}
	c.pods = len(pods.Items)
	return nil
}

// check goes on for ever, or until the first list fails.
func (c *counter) check() {
	tick := time.NewTicker(time.Minute)
	go func() { // want detached "the goroutine of (*counter).SetupWithManager never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @45 "the loop around the tick has no exit"
		for {
			select {
			case <-tick.C:
				if err := c.count(context.TODO()); err != nil {
					return
				}
			}
		}
	}()
}

type waiter struct{ counter }

// SetupWithManager starts it once this replica is the leader.
func (w *waiter) SetupWithManager(mgr ctrl.Manager) error {
	go func() {
		<-mgr.Elected()
		for {
			time.Sleep(time.Minute)
			_ = w.count(context.TODO()) // ok: on the leader alone
		}
	}()
	return nil
}

type stopper struct {
	counter
	stop chan struct{}
}

// SetupWithManager starts what something else can stop.
func (s *stopper) SetupWithManager(mgr ctrl.Manager) error {
	go func() {
		for {
			select {
			case <-time.After(time.Minute):
				_ = s.count(context.TODO())
			case <-s.stop:
				return // ok: somebody may say so
			}
		}
	}()
	return nil
}
