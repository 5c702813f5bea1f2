// Package waiter wraps a wait for caches, as projects do.
package waiter // want package:"example.com/operators/lockheld/acrosspkg/waiter.Set.mu is locked for writing"

import (
	"context"
	"sync"

	"k8s.io/client-go/tools/cache"
)

// Set is a number of informers.
type Set struct {
	mu      sync.Mutex
	members []cache.InformerSynced
}

// Ready waits for all of them.
func (s *Set) Ready(ctx context.Context) bool { return settle(ctx, s.members) } // want Ready:"waits for cache.WaitForCacheSync until p1 through settle"

func settle(ctx context.Context, members []cache.InformerSynced) bool { // want settle:"waits for cache.WaitForCacheSync until p0"
	return cache.WaitForCacheSync(ctx.Done(), members...)
}

// Add changes the set.
func (s *Set) Add(m cache.InformerSynced) { // want Add:"locks p0.mu"
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members = append(s.members, m)
}

// Exclusive calls f with the set locked.
func (s *Set) Exclusive(f func()) { // want Exclusive:"locks p0.mu; calls p1 with p0.mu locked"
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Freeze returns with the set locked; Thaw unlocks it.
func (s *Set) Freeze() { s.mu.Lock() } // want Freeze:"has locked p0.mu; locks p0.mu"

// Thaw is the other half of Freeze.
func (s *Set) Thaw() { s.mu.Unlock() } // want Thaw:"has unlocked p0.mu"
