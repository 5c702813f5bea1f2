package leak

import (
	"context"
	"sync"
	"time"
)

type snapshot struct {
	mu  sync.RWMutex
	rev int
}

// Open hands out the unlock as one of three results, and on error something that does nothing.
func (s *snapshot) Open(compacted bool) (rev int, release func(), err error) {
	s.mu.Lock()
	if compacted {
		s.mu.Unlock()
		return 0, func() {}, errClosed
	}
	return s.rev, func() { s.mu.Unlock() }, nil // ok: the second result unlocks
}

// With picks the lock and the unlock together.
func (s *snapshot) With(write bool, f func() error) error {
	lock, unlock := s.mu.RLock, s.mu.RUnlock
	if write {
		lock, unlock = s.mu.Lock, s.mu.Unlock
	}
	lock()
	if err := f(); err != nil {
		unlock()
		return err
	}
	unlock()
	return nil // ok: what was locked is unlocked
}

type guard struct{ owner *guardedLease }

// Close is the other half of take.
func (g guard) Close() { g.owner.mu.Unlock() }

type guardedLease struct {
	mu     sync.Mutex
	holder string
}

// take gives out a guard by value.
func (l *guardedLease) take(identity string) (guard, bool) {
	l.mu.Lock()
	if l.holder != identity {
		l.mu.Unlock()
		return guard{}, false
	}
	return guard{l}, true // ok: the guard unlocks
}

func (l *guardedLease) use(identity string) {
	g, ok := l.take(identity)
	if !ok {
		return // ok: nothing is held
	}
	defer g.Close()
	l.holder = ""
}

type attempts struct {
	mu sync.Mutex
	n  int
}

// Do leaves its loop with the lock held if, and only if, the error is nil.
func (a *attempts) Do(f func() error) (err error) {
	for range 3 {
		a.mu.Lock()
		if err = f(); err == nil {
			break
		}
		a.mu.Unlock()
	}
	if err != nil {
		return err // ok: unlocked in the last turn
	}
	defer a.mu.Unlock()
	a.n++
	return nil
}

// Acquire tries until its context ends.
func (a *attempts) Acquire(ctx context.Context) error {
	for !a.mu.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err() // ok: not held
		case <-time.After(time.Second):
		}
	}
	return nil // ok: Release unlocks
}

// Release is the other half.
func (a *attempts) Release() { a.mu.Unlock() }
