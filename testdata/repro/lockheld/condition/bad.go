// Package condition waits for a condition with a second lock held, which lets nobody make it true.
package condition

import "sync"

// Bad collects the names of clusters.
type Bad struct {
	batch sync.Mutex // held while a batch is put together
	mu    sync.Mutex
	some  *sync.Cond
	names []string
}

// NewBad has no names.
func NewBad() *Bad {
	b := new(Bad)
	b.some = sync.NewCond(&b.mu)
	return b
}

// Put adds a batch of names.
func (b *Bad) Put(names ...string) {
	b.batch.Lock()
	defer b.batch.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = append(b.names, names...)
	b.some.Broadcast()
}

// Take waits for names and gives all of them.
func (b *Bad) Take() []string { // want Take:"locks p0.batch; locks p0.mu; waits for b.some.Wait, which can end in 1 ways"
	b.batch.Lock()
	defer b.batch.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.names) == 0 {
		b.some.Wait() // want blocking/certain "b.batch (locked at line 33) is held across b.some.Wait, which deadlocks: (*Bad).Put at bad.go:23 needs the same lock to unblock it; unlock first" @33 "b.batch is locked here" @23 "(*Bad).Put needs the same lock here" @28 "and ends the wait only here"
	}
	names := b.names
	b.names = nil
	return names
}
