// Package syncx has helpers around sync.
package syncx

import "sync"

// Guarded is a value behind a lock.
type Guarded[T any] struct {
	mu    sync.RWMutex
	value T
}

// NewGuarded makes one with a first value.
func NewGuarded[T any](value T) *Guarded[T] { return &Guarded[T]{value: value} }

// Do calls f with the value, which nobody else has meanwhile.
func (g *Guarded[T]) Do(f func(value *T)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.value)
}

// View calls f with the value, which others may read meanwhile.
func (g *Guarded[T]) View(f func(value T)) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	f(g.value)
}
