package leak

import "sync"

// A Limiter has functions whose names have a word in them that speaks of locks, and others that only have its letters.
type Limiter struct {
	mu sync.Mutex
	n  int
}

// UpdateThreshold holds nothing.
func (l *Limiter) UpdateThreshold(n int) bool {
	l.mu.Lock()
	if n < 0 {
		return false // want leak/certain "l.mu (locked at line 13) is still held when (*Limiter).UpdateThreshold returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @13 "l.mu is locked here"
	}
	l.n = n
	l.mu.Unlock()
	return true
}

// HoldLimit is believed: nobody who calls it is in sight.
func (l *Limiter) HoldLimit(n int) bool {
	l.mu.Lock()
	if n < 0 {
		return false // ok: its name says that it returns with the lock
	}
	l.n = n
	l.mu.Unlock()
	return true
}

// HoldSeen is not believed, for a caller is in sight and releases nothing.
func (l *Limiter) HoldSeen(n int) bool {
	l.mu.Lock()
	if n < 0 {
		return false // want leak/certain "l.mu (locked at line 35) is still held when (*Limiter).HoldSeen returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @35 "l.mu is locked here"
	}
	l.n = n
	l.mu.Unlock()
	return true
}

// See forgets that the lock may be held.
func (l *Limiter) See() bool { return l.HoldSeen(l.n) }
