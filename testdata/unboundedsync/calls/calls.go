// Package calls waits through interfaces, function values and guarded helpers.
package calls

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type syncer interface {
	ready(ctx context.Context) error
}

type informer struct{ synced cache.InformerSynced }

func (i *informer) ready(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), i.synced) {
		return fmt.Errorf("not synced: %w", ctx.Err())
	}
	return nil
}

func all(ctx context.Context, ss []syncer) error { // want all:"waits for cache.WaitForCacheSync (calls.go:22) until p0 through ready"
	for _, s := range ss {
		if err := s.ready(ctx); err != nil { // ok: the caller's
			return err
		}
		if err := s.ready(context.Background()); err != nil { // want neverstops "cache.WaitForCacheSync (calls.go:22, via ready) has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @22 "waits here" @33 "context.Background() is never done"
			return err
		}
	}
	return nil
}

func both() error {
	return all(context.TODO(), []syncer{&informer{}}) // want neverstops "cache.WaitForCacheSync (calls.go:22, via all) has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass a context that ends" @22 "waits here" @41 "context.TODO() is never done"
}

type waiting struct {
	wait func(<-chan struct{}, ...cache.InformerSynced) bool
}

func newWaiting() *waiting { return &waiting{wait: cache.WaitForCacheSync} }

func (w *waiting) run(stop <-chan struct{}, synced cache.InformerSynced) { // want run:"waits for w.wait (calls.go:51) until p1"
	if !w.wait(stop, synced) { // ok: the caller's
		return
	}
	w.wait(wait.NeverStop, synced) // want neverstops "w.wait has no timeout: wait.NeverStop is never closed, so it hangs while the API server is down; pass a channel that is closed on shutdown" @54 "wait.NeverStop is never closed"
}

func maybe(ctx context.Context, block bool, synced cache.InformerSynced) bool { // want maybe:"waits for cache.WaitForCacheSync (calls.go:59) until p0 if p1 == true"
	if block {
		return cache.WaitForCacheSync(ctx.Done(), synced)
	}
	return synced()
}

func guarded(synced cache.InformerSynced) {
	maybe(context.Background(), false, synced) // ok: it does not wait
	maybe(context.Background(), true, synced)  // want neverstops "cache.WaitForCacheSync (calls.go:59, via maybe) has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @59 "waits here" @66 "context.Background() is never done"
}

func literal(synced cache.InformerSynced) {
	start := func(stop <-chan struct{}) bool { return cache.WaitForCacheSync(stop, synced) }
	start(nil) // want neverstops "cache.WaitForCacheSync (calls.go:70, via the function literal) has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown" @70 "waits here"
}

func loops(ctx context.Context, update func() error) {
	_ = wait.PollUntilContextCancel(context.Background(), time.Second, true, func(context.Context) (bool, error) { // ok: a loop, not a wait
		fmt.Println("still here")
		return false, nil
	})
	_ = wait.PollUntilContextCancel(context.Background(), time.Second, true, func(context.Context) (bool, error) { // want neverstops "wait.PollUntilContextCancel may wait forever for its condition to hold: context.Background() is never done; pass a context that ends" @79 "context.Background() is never done"
		return time.Now().Year() > 2000, nil
	})
	_ = wait.PollUntilContextCancel(context.Background(), time.Second, true, func(context.Context) (bool, error) { // ok: a retry, which ends with the first other error
		if err := update(); err != nil {
			if apierrors.IsConflict(err) {
				return false, nil
			}
			return false, fmt.Errorf("update: %w", err)
		}
		return true, nil
	})
	_ = wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) { return true, nil }) // ok: the caller's
}

type again struct{}

// Reconcile comes to all of them for each request.
func (again) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	_ = []any{(*informer).ready, all, both, newWaiting, (*waiting).run, maybe, guarded, literal, loops, limited, heeds, drain}
	return reconcile.Result{}, nil
}
