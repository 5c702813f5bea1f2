// Package store has methods that lock once more.
package store

import "sync"

// A Store has a lock.
type Store struct {
	mu sync.Mutex
	n  int
}

// Add takes the lock.
func (s *Store) Add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// Fill is what the program calls.
func (s *Store) Fill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 21) is locked again (store.go:14, through (*Store).Add), which deadlocks; unlock first, or split off what needs no lock of its own" @21 "s.mu is locked here" @23 "calls (*Store).Add" @14 "second acquisition"
}

// Refresh is called by an interface.
func (s *Store) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 28) is locked again (store.go:14, through (*Store).Add), which deadlocks; unlock first, or split off what needs no lock of its own" @28 "s.mu is locked here" @30 "calls (*Store).Add" @14 "second acquisition"
}

// Clear is used as a value.
func (s *Store) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 35) is locked again (store.go:14, through (*Store).Add), which deadlocks; unlock first, or split off what needs no lock of its own" @35 "s.mu is locked here" @37 "calls (*Store).Add" @14 "second acquisition"
}

// Forgotten is what nobody calls.
func (s *Store) Forgotten() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // ok
}

// Twice is what nobody calls, either, but Inner.
func (s *Store) Twice() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 49) is locked again (store.go:14, through (*Store).Add), which deadlocks; unlock first, or split off what needs no lock of its own" @49 "s.mu is locked here" @51 "calls (*Store).Add" @14 "second acquisition"
}

// Inner calls it from here.
func (s *Store) Inner() { s.Twice() }
