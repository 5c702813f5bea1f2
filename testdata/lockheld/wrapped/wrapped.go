// Package wrapped locks through methods of its own, as code does that logs its locks.
package wrapped

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
)

type accessor struct {
	state sync.RWMutex
	sync  cache.InformerSynced
}

func (a *accessor) lock(context.Context)   { a.state.Lock() }
func (a *accessor) unlock(context.Context) { a.state.Unlock() }

func (a *accessor) connect(ctx context.Context) { // want connect:"locks p0.state through (*accessor).lock; waits for cache.WaitForCacheSync until p1"
	cache.WaitForCacheSync(ctx.Done(), a.sync) // ok: before the lock
	a.lock(ctx)
	defer a.unlock(ctx)
}

func (a *accessor) reconnect(ctx context.Context) {
	a.lock(ctx)
	defer a.unlock(ctx)
	cache.WaitForCacheSync(ctx.Done(), a.sync) // want blocking/possible "a.state (locked at line 27) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @27 "a.state is locked here"
}

func (a *accessor) poll(ctx context.Context) {
	a.lock(ctx)
	_ = wait.PollUntilContextCancel(ctx, 1, true, func(context.Context) (bool, error) { return false, nil }) // want blocking/possible "a.state (locked at line 33) is held across wait.PollUntilContextCancel, which may block forever waiting for its condition to hold; unlock first" @33 "a.state is locked here"
	a.unlock(ctx)
	_ = wait.PollUntilContextCancel(ctx, 1, true, func(context.Context) (bool, error) { return false, nil }) // ok: unlocked
}

type ready interface{ wait(stop <-chan struct{}) }

type one struct{ sync cache.InformerSynced }

var _ ready = one{}

func (o one) wait(stop <-chan struct{}) { cache.WaitForCacheSync(stop, o.sync) }

func (a *accessor) dispatch(r ready, stop <-chan struct{}) {
	a.state.Lock()
	defer a.state.Unlock()
	r.wait(stop) // want blocking/possible "a.state (locked at line 48) is held across cache.WaitForCacheSync (wrapped.go:45, via one.wait), which may block forever waiting for the API server; unlock first" @48 "a.state is locked here" @50 "calls one.wait" @45 "blocks here"
}
