// Package registry keeps what is connected.
package registry

import (
	"iter"
	"sync"
)

// Registry is a map for several goroutines.
type Registry[K comparable, V any] struct {
	mu    sync.RWMutex
	items map[K]V
}

// New makes an empty registry.
func New[K comparable, V any]() *Registry[K, V] {
	return &Registry[K, V]{items: make(map[K]V)}
}

// Put stores, the key is new.
func (r *Registry[K, V]) Put(key K, value V) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, had := r.items[key]
	r.items[key] = value
	return !had
}

// Lookup finds the value of the key.
func (r *Registry[K, V]) Lookup(key K) (V, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	v, ok := r.items[key]
	return v, ok
}

// Drop removes the key.
func (r *Registry[K, V]) Drop(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.items, key)
}

// All gives each key and value.
func (r *Registry[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		r.mu.RLock()
		defer r.mu.RUnlock()
		for k, v := range r.items {
			if !yield(k, v) {
				return
			}
		}
	}
}
