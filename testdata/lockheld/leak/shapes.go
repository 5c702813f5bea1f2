package leak

import "sync"

type sessions struct {
	mu sync.Mutex
	by map[string]int
}

func each(names []string, f func(string) error) error {
	for _, n := range names {
		if err := f(n); err != nil {
			return err
		}
	}
	return nil
}

// Drop forgets the lock inside a literal.
func (s *sessions) Drop(names []string) error {
	return each(names, func(n string) error {
		s.mu.Lock()
		if _, ok := s.by[n]; !ok {
			return errClosed // want leak/certain "s.mu (locked at line 22) is still held when (*sessions).Drop returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @22 "s.mu is locked here"
		}
		delete(s.by, n)
		s.mu.Unlock()
		return nil
	})
}

// Watch forgets it in a goroutine, so that nobody else ever gets it.
func (s *sessions) Watch(next func() string, stop *bool) {
	go func() {
		for {
			name := next()
			s.mu.Lock()
			if *stop {
				return // want leak/certain "s.mu (locked at line 37) is still held when (*sessions).Watch returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @37 "s.mu is locked here"
			}
			s.by[name]++
			s.mu.Unlock()
		}
	}()
}

type volume struct {
	mu    sync.Mutex
	files map[string]int
}

func (v *volume) lock(string)   { v.mu.Lock() }
func (v *volume) unlock(string) { v.mu.Unlock() }

// Remove locks through a method of its own.
func (v *volume) Remove(name string) error {
	v.lock("remove")
	if v.files[name] > 0 {
		return errClosed // want leak/certain "v.mu (locked at line 57) is still held when (*volume).Remove returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @57 "v.mu is locked here"
	}
	delete(v.files, name)
	v.unlock("remove")
	return nil
}

// bump locks what its caller hands in.
func bump(mu *sync.Mutex, counts map[string]int, name string) error {
	mu.Lock()
	n, ok := counts[name]
	if !ok {
		return errClosed // want leak/certain "mu (locked at line 68) is still held when bump returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @68 "mu is locked here"
	}
	counts[name] = n + 1
	mu.Unlock()
	return nil
}

type node struct {
	sync.Mutex
	pods int
}

// Evict locks an embedded mutex.
func (n *node) Evict(pods int) bool {
	n.Lock()
	if n.pods < pods {
		return false // want leak/certain "n.Mutex (locked at line 85) is still held when (*node).Evict returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @85 "n.Mutex is locked here"
	}
	n.pods -= pods
	n.Unlock()
	return true
}

type sweeper struct {
	mu   sync.Mutex
	runs int
}

// Sweep holds the lock where TryLock gave true.
func (s *sweeper) Sweep(dry bool) bool {
	if s.mu.TryLock() {
		if dry {
			return false // want leak/certain "s.mu (locked at line 101) is still held when (*sweeper).Sweep returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @101 "s.mu is locked here"
		}
		s.runs++
		s.mu.Unlock()
		return true
	}
	return false
}

type feed struct {
	mu   sync.Mutex
	seen int
}

// Step returns from a case of a select.
func (f *feed) Step(done <-chan struct{}) bool {
	f.mu.Lock()
	select {
	case <-done:
		return false // want leak/certain "f.mu (locked at line 119) is still held when (*feed).Step returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @119 "f.mu is locked here"
	default:
	}
	f.seen++
	f.mu.Unlock()
	return true
}

type lister[K comparable, V any] struct {
	mu sync.RWMutex
	by map[K]V
}

// GetOr is generic; both instances are one function.
func (l *lister[K, V]) GetOr(k K, load func() (V, error)) (V, error) {
	l.mu.Lock()
	if v, ok := l.by[k]; ok {
		l.mu.Unlock()
		return v, nil
	}
	v, err := load()
	if err != nil {
		return v, err // want leak/certain "l.mu (locked at line 137) is still held when (*lister).GetOr returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @137 "l.mu is locked here"
	}
	l.by[k] = v
	l.mu.Unlock()
	return v, nil
}

type zone struct {
	mu      sync.Mutex
	records map[string]string
}

func (z *zone) hold() func() {
	z.mu.Lock()
	return func() { z.mu.Unlock() } // ok: the unlock is handed out
}

// Set does not call what hold gave it on one path.
func (z *zone) Set(name, address string) error {
	unlock := z.hold()
	if address == "" {
		return errClosed // want leak/certain "z.mu (locked at line 163) is still held when (*zone).Set returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @163 "z.mu is locked here"
	}
	z.records[name] = address
	unlock()
	return nil
}

type seen struct {
	mu   sync.Mutex
	uids map[string]bool
}

// Seen looks like a hand-off that its result tells, but no caller gives the lock back.
func (s *seen) Seen(uid string) bool {
	s.mu.Lock()
	if s.uids[uid] {
		return true // want leak/certain "s.mu (locked at line 179) is still held when (*seen).Seen returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @179 "s.mu is locked here"
	}
	s.uids[uid] = true
	s.mu.Unlock()
	return false
}

type credentials struct {
	mu   sync.Mutex
	key  string
	last error
}

// Rotate leaves by two helpers. One of them unlocks.
func (c *credentials) Rotate(next string) error {
	c.mu.Lock()
	if next == "" {
		return c.failAndUnlock(errClosed) // ok: the helper unlocks
	}
	if next == c.key {
		return c.note(errClosed) // want leak/certain "c.mu (locked at line 196) is still held when (*credentials).Rotate returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @196 "c.mu is locked here"
	}
	c.key = next
	c.mu.Unlock()
	return nil
}

func (c *credentials) failAndUnlock(err error) error {
	c.last = err
	c.mu.Unlock()
	return err
}

func (c *credentials) note(err error) error {
	c.last = err
	return err
}

type gate struct {
	mu   sync.Mutex
	cond *sync.Cond
	open bool
	dead bool
}

func newGate() *gate {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

// Pass returns out of the wait: Wait comes back with the lock.
func (g *gate) Pass() error {
	g.cond.L.Lock()
	for !g.open {
		if g.dead {
			return errClosed // want leak/certain "g.mu (locked at line 234) is still held when (*gate).Pass returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @234 "g.mu is locked here"
		}
		g.cond.Wait()
	}
	g.cond.L.Unlock()
	return nil
}

type either struct {
	lock sync.Locker
	n    int
}

// Dec does not know which lock it has.
func (e *either) Dec() bool {
	e.lock.Lock()
	if e.n == 0 {
		return false // want leak/certain "e.lock (locked at line 252) is still held when (*either).Dec returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @252 "e.lock is locked here"
	}
	e.n--
	e.lock.Unlock()
	return true
}
