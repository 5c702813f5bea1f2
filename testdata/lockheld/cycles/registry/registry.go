// Package registry has the lower lock of a cycle. It knows nothing of those who use it.
package registry // want package:"example.com/operators/lockheld/cycles/registry.Registry.mu is locked for writing"

import "sync"

// Registry may be locked from outside for several steps.
type Registry struct {
	mu sync.Mutex
	by map[string]int
}

// Lock opens a session.
func (r *Registry) Lock() { r.mu.Lock() }

// Unlock ends it.
func (r *Registry) Unlock() { r.mu.Unlock() }

// SetLocked needs a session.
func (r *Registry) SetLocked(k string, v int) { r.by[k] = v }

// Get locks by itself.
func (r *Registry) Get(k string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[k]
}

// Each calls f with the lock held.
func (r *Registry) Each(f func(k string, v int)) { // want Each:"locks p0.mu; calls p1 with p0.mu locked"
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, v := range r.by {
		f(k, v)
	}
}
