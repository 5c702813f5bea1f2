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

func (r *registry) count(ctx context.Context) int {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.refresh(ctx) // want `r.lock \(locked at line 19\) is held across cache.WaitForCacheSync \(waiter.go:21, through \(\*registry\).refresh, \(\*Set\).Ready, settle\)`
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

func frozen(ctx context.Context, s, other *waiter.Set) {
	s.Freeze()
	s.Ready(ctx) // want `s.mu \(locked at line 40\) is held across`
	s.Thaw()
	s.Ready(ctx) // ok: Thaw has unlocked
	s.Freeze()
	other.Add(nil) // ok: another set
	s.Add(nil)     // want `s.mu \(locked at line 44\) is locked again \(waiter.go:26, through \(\*Set\).Add\), which deadlocks`
	s.Thaw()
}

func callback(s, other *waiter.Set) {
	s.Exclusive(func() {
		other.Add(nil) // ok: another set
	})
	s.Exclusive(func() { // want `s.mu \(locked by \(\*Set\).Exclusive\) is locked again .*, which deadlocks`
		s.Add(nil)
	})
}
