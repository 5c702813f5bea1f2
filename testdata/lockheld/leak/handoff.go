package leak

import (
	"context"
	"sync"
	"time"
)

type shard struct {
	mu sync.Mutex
	n  int
}

// hold hands out the unlock, or nothing where it has not locked.
func (s *shard) hold() func() {
	s.mu.Lock()
	if s.n < 0 {
		s.mu.Unlock()
		return nil
	}
	return s.mu.Unlock // ok: the caller unlocks
}

type keyed struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

// Lock gives out the lock of one key, and how to give it back.
func (k *keyed) Lock(key string) func() {
	k.mu.Lock()
	l, ok := k.locks[key]
	if !ok {
		l = &sync.Mutex{}
		k.locks[key] = l
	}
	k.mu.Unlock()
	l.Lock()
	return func() { l.Unlock() } // ok: the caller unlocks
}

// With defers the result of Lock: the call at the end of the line is the deferred one.
func (k *keyed) With(key string, f func() error) error { // want With:"locks p0.mu through (*keyed).Lock; calls p2"
	defer k.Lock(key)()
	if key == "" {
		return errClosed // ok: deferred
	}
	return f()
}

type entry struct {
	mu   sync.Mutex
	name string
}

type directory struct {
	mu      sync.Mutex
	entries map[string]*entry
}

// find gives the entry locked, or nil with nothing locked.
func (d *directory) find(name string) *entry {
	d.mu.Lock()
	e := d.entries[name]
	d.mu.Unlock()
	if e == nil {
		return nil
	}
	e.mu.Lock()
	if e.name == "" {
		e.mu.Unlock()
		return nil
	}
	return e // ok: the caller gets the entry that holds the lock
}

// Rename gives back what find took.
func (d *directory) Rename(name, to string) bool {
	e := d.find(name)
	if e == nil {
		return false // ok: find has locked nothing
	}
	e.name = to
	e.mu.Unlock()
	return true
}

type election struct {
	mu     sync.RWMutex
	closed bool
}

// acquire holds the lock where its error is nil.
func (e *election) acquire() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return errClosed
	}
	return nil // ok: the error tells the caller
}

// Do unlocks after acquire.
func (e *election) Do(f func()) error {
	if err := e.acquire(); err != nil {
		return err // ok: not acquired
	}
	defer e.mu.Unlock()
	f()
	return nil
}

// enter holds the lock for reading where it says true; leave gives it back.
func (e *election) enter() bool {
	e.mu.RLock()
	if e.closed {
		e.mu.RUnlock()
		return false
	}
	return true // ok: the result tells the caller
}

func (e *election) leave() { e.mu.RUnlock() }

type storage struct {
	writer sync.Mutex
	closed bool
}

type tx struct{ s *storage }

// Begin gives out a transaction that holds the lock until its end.
func (s *storage) Begin(writable bool) (*tx, error) {
	if !writable {
		return &tx{}, nil
	}
	s.writer.Lock()
	if s.closed {
		s.writer.Unlock()
		return nil, errClosed
	}
	return &tx{s: s}, nil // ok: Commit unlocks
}

// Commit is the end.
func (t *tx) Commit() {
	if t.s != nil {
		t.s.writer.Unlock()
	}
}

type world struct {
	mu     sync.RWMutex
	frozen bool
}

// Freeze and Thaw are two halves.
func (w *world) Freeze() {
	if w.frozen {
		return
	}
	w.mu.Lock()
	w.frozen = true // ok: Thaw unlocks
}

// Thaw is the other half.
func (w *world) Thaw() {
	if !w.frozen {
		return
	}
	w.frozen = false
	w.mu.Unlock()
}

type resync struct {
	mu   sync.Mutex
	busy bool
	n    int
}

// Kick lets the goroutine unlock.
func (r *resync) Kick(work func()) bool {
	r.mu.Lock()
	if r.busy {
		r.mu.Unlock()
		return false
	}
	go func() {
		defer r.mu.Unlock()
		work()
	}()
	return true // ok: the goroutine has the lock now
}

// Pause lets a timer unlock.
func (r *resync) Pause(d time.Duration) {
	r.mu.Lock()
	if d <= 0 {
		r.mu.Unlock()
		return
	}
	r.n++
	time.AfterFunc(d, r.mu.Unlock) // ok: the timer unlocks
}

// Pin lets the end of a context unlock.
func (r *resync) Pin(ctx context.Context) error {
	r.mu.Lock()
	if r.n > 3 {
		r.mu.Unlock()
		return errClosed
	}
	context.AfterFunc(ctx, func() { r.mu.Unlock() })
	return nil // ok: the context unlocks
}

// Visit hands the unlock to the function that it calls.
func (r *resync) Visit(f func(n int, release func())) {
	r.mu.Lock()
	if r.n == 0 {
		r.mu.Unlock()
		return
	}
	f(r.n, r.mu.Unlock) // ok: f unlocks
}

// Checkout unlocks on error; otherwise the caller has the lock until Checkin.
func (r *resync) Checkout(limit int) (n int, err error) {
	r.mu.Lock()
	defer func() {
		if err != nil {
			r.mu.Unlock()
		}
	}()
	if r.n >= limit {
		return 0, errClosed // ok: the deferred function unlocks
	}
	r.n++
	return r.n, nil // ok: Checkin unlocks
}

// Checkin is the other half.
func (r *resync) Checkin() { r.mu.Unlock() }

type slot struct{ release func() }

// Lease puts the unlock into the object that it returns.
func (r *resync) Lease() (*slot, error) {
	r.mu.Lock()
	if r.busy {
		r.mu.Unlock()
		return nil, errClosed
	}
	return &slot{release: r.mu.Unlock}, nil // ok: the slot unlocks
}
