// Package leak returns early with the lock held.
package leak

import (
	"errors"
	"sync"
)

var errKnown = errors.New("the cluster is known already")

// Bad has the names of clusters.
type Bad struct {
	mu    sync.Mutex
	known map[string]bool
}

// NewBad has no names.
func NewBad() *Bad { return &Bad{known: make(map[string]bool)} }

// Add adds a name.
func (b *Bad) Add(name string) error {
	b.mu.Lock()
	if b.known[name] {
		return errKnown // want leak/certain "b.mu (locked at line 22) is still held when (*Bad).Add returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @22 "b.mu is locked here"
	}
	b.known[name] = true
	b.mu.Unlock()
	return nil
}
