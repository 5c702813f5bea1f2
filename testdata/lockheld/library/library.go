// Package library takes locks around calls of a library that is no part of Kubernetes: what it calls back, and when, is seen in
// its source.
package library

import (
	"sync"

	"github.com/samber/lo"
)

// Store is a set of names.
type Store struct {
	mu    sync.Mutex
	names []string
	last  string
}

func (s *Store) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = name
}

// All calls note for each name before it returns.
func (s *Store) All() {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo.ForEach(s.names, func(name string, _ int) { s.note(name) }) // want relock/certain "s.mu (locked at line 26) is locked again (library.go:19, via the function literal, (*Store).note), which deadlocks; unlock first, or call a variant that does not lock" @26 "s.mu is locked here" @28 "calls the function literal" @28 "calls (*Store).note" @19 "second acquisition"
}

// Later has somebody else call it.
func (s *Store) Later() {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo.Async0(func() { s.note("later") }) // ok: another goroutine waits until the lock is free
}

// Shown calls nothing that needs the lock.
func (s *Store) Shown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return lo.Map(s.names, func(name string, _ int) string { return name + s.last })
}
