// Package acrosspkg reaches waits and locks of another package: the facts of that package tell.
package acrosspkg

import (
	"context"
	"sync"
	"time"

	"example.com/operators/lockheld/acrosspkg/waiter"
)

type registry struct {
	lock sync.Mutex
	set  *waiter.Set
	n    int
}

func (r *registry) count(ctx context.Context) int { // want count:"locks p0.lock; waits for cache.WaitForCacheSync until p1 through (*registry).refresh, (*Set).Ready, settle"
	r.lock.Lock()
	defer r.lock.Unlock()
	r.refresh(ctx) // want blocking/possible "r.lock (locked at line 19) is held across cache.WaitForCacheSync (waiter.go:21, via (*registry).refresh, (*Set).Ready, settle), which may block forever waiting for the API server; unlock first" @19 "r.lock is locked here" @21 "calls (*registry).refresh" @26 "calls (*Set).Ready" @waiter.go:18 "calls settle" @waiter.go:21 "blocks here"
	return r.n
}

func (r *registry) refresh(ctx context.Context) {
	if r.set.Ready(ctx) {
		r.n++
	}
}

func (r *registry) soon(ctx context.Context) {
	r.lock.Lock()
	defer r.lock.Unlock()
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r.set.Ready(ctx) // ok: the callee waits as long as this context lasts, and it has a deadline
}

func frozen(ctx context.Context, s, other *waiter.Set) { // want frozen:"locks p1.mu through (*Set).Freeze; locks p2.mu through (*Set).Add; locks p1.mu through (*Set).Add; waits for cache.WaitForCacheSync until p0 through (*Set).Ready, settle"
	s.Freeze()
	s.Ready(ctx) // want blocking/possible "s.mu (locked at line 40) is held across cache.WaitForCacheSync (waiter.go:21, via (*Set).Ready, settle), which may block forever waiting for the API server; unlock first" @40 "s.mu is locked here" @41 "calls (*Set).Ready" @waiter.go:18 "calls settle" @waiter.go:21 "blocks here"
	s.Thaw()
	s.Ready(ctx) // ok: Thaw has unlocked
	s.Freeze()
	other.Add(nil) // ok: another set
	s.Add(nil)     // want relock/certain "s.mu (locked at line 44) is locked again (waiter.go:26, via (*Set).Add), which deadlocks; unlock first, or call a variant that does not lock" @44 "s.mu is locked here" @46 "calls (*Set).Add" @waiter.go:26 "second acquisition"
	s.Thaw()
}

func callback(s, other *waiter.Set) { // want callback:"locks p0.mu through (*Set).Exclusive; locks p1.mu through the function literal, (*Set).Add; locks p0.mu through the function literal, (*Set).Add"
	s.Exclusive(func() {
		other.Add(nil) // ok: another set
	})
	s.Exclusive(func() { // want relock/certain "s.mu (locked by (*Set).Exclusive) is locked again (waiter.go:26, via the function literal, (*Set).Add), which deadlocks; unlock first, or call a variant that does not lock" @54 "s.mu is locked by (*Set).Exclusive (waiter.go:35)" @54 "calls the function literal" @55 "calls (*Set).Add" @waiter.go:26 "second acquisition"
		s.Add(nil)
	})
}
