package dispatch

import "sync"

// A rwlock wraps a mutex, and is embedded in many types: each of them is a kind of lock of its own.
type rwlock struct{ sync.RWMutex }

type courier struct {
	rwlock
	out chan int
	to  *depot
}

type depot struct {
	rwlock
	sum int
}

func newCourier() *courier {
	s := &courier{out: make(chan int), to: &depot{}}
	go s.drain()
	return s
}

// drain takes the lock of the depot only.
func (s *courier) drain() {
	for v := range s.out {
		s.to.Lock()
		s.to.sum += v
		s.to.Unlock()
	}
}

func (s *courier) send(v int) {
	s.Lock()
	defer s.Unlock()
	s.out <- v // ok: the receiver takes the lock of another type
}

type turner struct {
	rwlock
	in chan int
	n  int
}

func newTurner() *turner {
	l := &turner{in: make(chan int)}
	go l.run()
	return l
}

func (l *turner) run() {
	for range l.in {
		l.Lock()
		l.n++
		l.Unlock()
	}
}

func (l *turner) put(v int) {
	l.Lock()
	defer l.Unlock()
	l.in <- v // want blocking/certain "l.rwlock.RWMutex (locked at line 61) is held across the send to l.in, which deadlocks: (*turner).run at wrapper.go:54 needs the same lock to unblock it; unlock first" @61 "l.rwlock.RWMutex is locked here" @54 "(*turner).run needs the same lock here" @53 "and ends the wait only here"
}

// A ledger calls back with its lock held for reading, and is read again.
type ledger struct {
	mu   sync.RWMutex
	rows map[string]int
}

func (t *ledger) each(f func(string)) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for k := range t.rows {
		f(k)
	}
}

func (t *ledger) get(k string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows[k]
}

func (t *ledger) sum() (n int) {
	t.each(func(k string) { n += t.get(k) }) // ok: nobody writes
	return n
}
