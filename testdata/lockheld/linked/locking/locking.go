// Package locking has helpers that take locks for others.
package locking

import "sync"

// With runs f with l held.
func With(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

// A Mutex is a lock of our own.
type Mutex struct{ mu sync.Mutex }

// Lock takes it.
func (m *Mutex) Lock() { m.mu.Lock() }

// Unlock gives it back.
func (m *Mutex) Unlock() { m.mu.Unlock() }
