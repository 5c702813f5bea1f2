// Package waiter wraps a wait for caches, as projects do.
package waiter

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
func (s *Set) Ready(ctx context.Context) bool { return settle(ctx, s.members) }

func settle(ctx context.Context, members []cache.InformerSynced) bool {
	return cache.WaitForCacheSync(ctx.Done(), members...)
}

// Add changes the set.
func (s *Set) Add(m cache.InformerSynced) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members = append(s.members, m)
}

// Exclusive calls f with the set locked.
func (s *Set) Exclusive(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Freeze returns with the set locked; Thaw unlocks it.
func (s *Set) Freeze() { s.mu.Lock() }

// Thaw is the other half of Freeze.
func (s *Set) Thaw() { s.mu.Unlock() }
