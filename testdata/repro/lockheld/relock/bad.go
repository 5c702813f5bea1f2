// Package relock calls a method that takes the lock, with the lock held.
package relock

import "sync"

// Bad knows which clusters are ready.
type Bad struct {
	mu    sync.Mutex
	ready map[string]bool
}

// NewBad knows of no cluster.
func NewBad() *Bad { return &Bad{ready: make(map[string]bool)} }

// MarkReady says that a cluster is ready.
func (b *Bad) MarkReady(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready[name] = true
}

// Resync starts over with the clusters that are ready now.
func (b *Bad) Resync(names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.ready)
	for _, name := range names {
		b.MarkReady(name) // want relock/certain "b.mu (locked at line 24) is locked again (bad.go:17, via (*Bad).MarkReady), which deadlocks; unlock first, or call a variant that does not lock" @24 "b.mu is locked here" @28 "calls (*Bad).MarkReady" @17 "second acquisition"
	}
}
