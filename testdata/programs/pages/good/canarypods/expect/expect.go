// Package expect counts pods that a canary still has to see.
package expect

import (
	"sync"
	"time"
)

// Counter of expectations.
type Counter struct {
	mu   sync.Mutex
	open map[string]int
	from map[string]time.Time
	ttl  time.Duration
}

// NewCounter makes one that gives up after ttl.
func NewCounter(ttl time.Duration) *Counter {
	return &Counter{open: map[string]int{}, from: map[string]time.Time{}, ttl: ttl}
}

// RaiseExpectations adds n for key.
func (c *Counter) RaiseExpectations(key string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[key] += n
	c.from[key] = time.Now()
}

// LowerExpectations takes back n for key.
func (c *Counter) LowerExpectations(key string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[key] -= n; c.open[key] <= 0 {
		delete(c.open, key)
		delete(c.from, key)
	}
}

// SatisfiedExpectations says whether nothing is open for key, or it has been for too long.
func (c *Counter) SatisfiedExpectations(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[key] > 0 && time.Since(c.from[key]) <= c.ttl {
		return false
	}
	delete(c.open, key)
	delete(c.from, key)
	return true
}

// DeleteExpectations forgets key.
func (c *Counter) DeleteExpectations(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, key)
	delete(c.from, key)
}
