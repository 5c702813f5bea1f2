// Package pending keeps count of requests whose events are still to come.
package pending

import (
	"sync"
	"time"
)

// Requests counts by a key of any kind.
type Requests[K comparable] struct {
	mu   sync.Mutex
	open map[K][]time.Time
	ttl  time.Duration
}

func New[K comparable](ttl time.Duration) *Requests[K] {
	return &Requests[K]{open: map[K][]time.Time{}, ttl: ttl}
}

func (r *Requests[K]) ExpectOne(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[key] = append(r.open[key], time.Now())
}

func (r *Requests[K]) LowerOne(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.open[key]; len(o) > 1 {
		r.open[key] = o[1:]
	} else {
		delete(r.open, key)
	}
}

// IsSatisfied also takes a request for seen that is older than the ttl.
func (r *Requests[K]) IsSatisfied(key K) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, at := range r.open[key] {
		if time.Since(at) < r.ttl {
			return false
		}
	}
	return true
}

func (r *Requests[K]) Forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, key)
}
