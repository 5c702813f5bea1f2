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
	s.Add() // want relock/certain "s.mu (locked at line 21) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @21 "s.mu is locked here" @23 "calls (*Store).Add" @14 "second acquisition"
}

// Refresh is called by an interface.
func (s *Store) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 28) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @28 "s.mu is locked here" @30 "calls (*Store).Add" @14 "second acquisition"
}

// Clear is used as a value.
func (s *Store) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 35) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @35 "s.mu is locked here" @37 "calls (*Store).Add" @14 "second acquisition"
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
	s.Add() // want relock/certain "s.mu (locked at line 49) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @49 "s.mu is locked here" @51 "calls (*Store).Add" @14 "second acquisition"
}

// Inner calls it from here.
func (s *Store) Inner() { s.Twice() }

// Sweep is called by a type parameter.
func (s *Store) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 59) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @59 "s.mu is locked here" @61 "calls (*Store).Add" @14 "second acquisition"
}

// Close is for those who have an interface of another package.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 66) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @66 "s.mu is locked here" @68 "calls (*Store).Add" @14 "second acquisition"
	return nil
}

// Asked is called where somebody asks for it.
func (s *Store) Asked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // want relock/certain "s.mu (locked at line 74) is locked again (store.go:14, via (*Store).Add), which deadlocks; unlock first, or call a variant that does not lock" @74 "s.mu is locked here" @76 "calls (*Store).Add" @14 "second acquisition"
}

// Spare has the name of what nobody asks for.
func (s *Store) Spare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Add() // ok
}
