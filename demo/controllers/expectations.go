package controllers

import (
	"sync"
	"time"
)

// Expectations remember for which schedules a backup was made that the cache does not show yet. Without them, a schedule that
// is looked at in between would make it twice.
type Expectations struct {
	mu      sync.Mutex
	pending map[string]time.Time
}

func NewExpectations() *Expectations {
	return &Expectations{pending: make(map[string]time.Time)}
}

// ExpectCreation notes that a backup is about to be made for key.
func (e *Expectations) ExpectCreation(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pending[key] = time.Now()
}

// CreationObserved notes that the cache shows it, or that there is no more need to.
func (e *Expectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.pending, key)
}

// Satisfied says whether nothing is expected for key, and else for how long it has been.
func (e *Expectations) Satisfied(key string) (bool, time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if since, ok := e.pending[key]; ok {
		return false, time.Since(since)
	}
	return true, 0
}
