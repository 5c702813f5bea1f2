// Package wrapped hands endless contexts to functions of another package that wait.
package wrapped

import (
	"context"

	"k8s.io/client-go/tools/cache"

	"example.com/operators/unboundedsync/wrapped/syncer"
)

func start(ctx context.Context, synced cache.InformerSynced) { // want start:"waits for cache.WaitForCacheSync (syncer.go:16) until p0 through Wait"
	syncer.Wait(ctx, synced)                                               // ok: the caller's context
	syncer.Wait(context.Background(), synced)                              // want neverstops "cache.WaitForCacheSync (syncer.go:16, via Wait) has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @14 "waits at syncer.go:16" @14 "context.Background() is never done"
	syncer.Bounded(context.Background(), synced)                           // ok: the callee adds a deadline
	local(context.TODO(), synced)                                          // want neverstops "cache.WaitForNamedCacheSync (wrapped.go:23, via local) has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass a context that ends" @23 "waits here" @16 "context.TODO() is never done"
	local(ctx, synced)                                                     // ok: the caller's context
	go local(context.TODO(), synced)                                       // want neverstops "cache.WaitForNamedCacheSync (wrapped.go:23, via local) has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass a context that ends" @23 "waits here" @18 "context.TODO() is never done"
	go cache.WaitForNamedCacheSync("alone", context.TODO().Done(), synced) // ok: nothing comes behind it
}

func local(ctx context.Context, synced cache.InformerSynced) {
	cache.WaitForNamedCacheSync("local", ctx.Done(), synced) // ok: a parameter
}

type mover interface {
	Settle(ctx context.Context) error
	Announce(ctx context.Context) error
}

type drainer struct{ mover mover }

func newDrainer(load func(context.Context) (int, error)) *drainer {
	return &drainer{&syncer.Mover{Load: load}}
}

// drain hands what never ends to a method of another package, behind an interface of this one.
func (d *drainer) drain(ctx context.Context) error {
	if err := d.mover.Announce(context.WithoutCancel(ctx)); err != nil { // ok: it does not wait
		return err
	}
	if err := d.mover.Settle(ctx); err != nil { // ok: the caller's context
		return err
	}
	return d.mover.Settle(context.WithoutCancel(ctx)) // want neverstops "wait.PollUntilContextCancel (syncer.go:33, via Settle) may wait forever for its condition to hold: context.WithoutCancel is never done; pass a context that ends" @45 "waits at syncer.go:33" @45 "context.WithoutCancel is never done"
}

var (
	_ = newDrainer
	_ = (*drainer).drain
)
