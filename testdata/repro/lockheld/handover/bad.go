// Package handover sends under the lock that the receiver needs before it receives again.
package handover

import "sync"

// Bad hands the names of clusters to a worker.
type Bad struct {
	mu      sync.Mutex
	queued  int
	handled int
	names   chan string
}

// NewBad has nothing to do.
func NewBad() *Bad { return &Bad{names: make(chan string)} }

// Run handles names until Close.
func (b *Bad) Run() {
	for range b.names {
		b.mu.Lock()
		b.handled++
		b.mu.Unlock()
	}
}

// Put hands names to Run.
func (b *Bad) Put(names ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		b.queued++
		b.names <- name // want blocking/certain "b.mu (locked at line 28) is held across the send to b.names, which deadlocks: (*Bad).Run at bad.go:20 needs the same lock to unblock it; unlock first" @28 "b.mu is locked here" @20 "(*Bad).Run needs the same lock here" @19 "and ends the wait only here"
	}
}

// Close ends Run.
func (b *Bad) Close() { close(b.names) }
