// Package order has goroutines that need a lock, but not before they end the wait; and locks that are let go, or
// exchanged, out of sight.
package order

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type worker struct {
	mu sync.RWMutex
	n  int
	wg sync.WaitGroup
}

func (w *worker) put(v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n = v
}

func (w *worker) receiveThenLock() {
	c := make(chan int)
	go func() {
		w.mu.Lock()
		c <- w.n // ok: the receiver locks after the receive
		w.mu.Unlock()
	}()
	v := <-c
	w.put(v)
}

func (w *worker) lockBeforeStart() {
	w.put(1)
	c := make(chan int)
	go func() {
		w.mu.Lock()
		c <- w.n // ok: the receiver's lock was over before this began
		w.mu.Unlock()
	}()
	<-c
}

func (w *worker) lockThenReceive() {
	c := make(chan int)
	go func() {
		w.mu.Lock()
		c <- w.n // want blocking/certain "w.mu (locked at line 48) is held across the send to a chan int, which deadlocks: (*worker).lockThenReceive at order.go:52 needs the same lock to unblock it; unlock first" @48 "w.mu is locked here" @52 "(*worker).lockThenReceive needs the same lock here" @53 "and ends the wait only here"
		w.mu.Unlock()
	}()
	w.mu.Lock()
	<-c // want blocking/certain "w.mu (locked at line 52) is held across the receive from a chan int, which deadlocks: (*worker).lockThenReceive at order.go:48 needs the same lock to unblock it; unlock first" @52 "w.mu is locked here" @48 "(*worker).lockThenReceive needs the same lock here" @49 "and ends the wait only here"
	w.mu.Unlock()
}

func (w *worker) oneSlot() int {
	w.mu.Lock()
	c := make(chan int, 1)
	go func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		c <- w.n // ok: one send into a buffer
	}()
	w.mu.Unlock()
	return <-c
}

func (w *worker) closeThenLock() {
	d := make(chan struct{})
	go func() {
		close(d)
		w.put(2)
	}()
	w.mu.Lock()
	<-d // ok: closed before the goroutine needs the lock
	w.mu.Unlock()
}

func (w *worker) doneThenLock() {
	w.wg.Add(1)
	go func() {
		defer w.put(3)
		w.wg.Done()
	}()
	w.mu.Lock()
	w.wg.Wait() // ok: Done comes before the deferred lock
	w.mu.Unlock()
}

type token struct {
	mu   sync.Mutex
	slot chan struct{}
	done chan struct{}
}

func newToken() *token { return &token{slot: make(chan struct{}, 1), done: make(chan struct{})} }

func (t *token) within() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slot <- struct{}{} // ok: the only peer is this function
	<-t.slot             // ok: the token is there
}

func (t *token) closed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.done)
	<-t.done // ok: closed by this function
}

type byValue struct {
	mu   sync.Mutex
	sync cache.InformerSynced
	stop chan struct{}
}

func (s *byValue) once() {
	s.mu.Lock()
	unlock := sync.OnceFunc(s.mu.Unlock)
	defer unlock()
	unlock()
	cache.WaitForCacheSync(s.stop, s.sync) // ok: unlocked through a value
}

type guarded struct {
	mu   sync.RWMutex
	sync cache.InformerSynced
	stop chan struct{}
}

type guard struct{ mu *sync.RWMutex }

func (g *guard) release() { g.mu.Unlock() }

func (s *guarded) acquire() *guard {
	s.mu.Lock()
	return &guard{&s.mu}
}

func (s *guarded) use() {
	g := s.acquire()
	g.release()
	cache.WaitForCacheSync(s.stop, s.sync) // ok: the guard has released it
}

type ownLocker struct {
	mu   sync.Mutex
	sync cache.InformerSynced
	stop chan struct{}
}

func unlockAny(x interface{ Unlock() }) { x.Unlock() } // want unlockAny:"has unlocked p0"

func (s *ownLocker) use() {
	s.mu.Lock()
	unlockAny(&s.mu)
	cache.WaitForCacheSync(s.stop, s.sync) // ok: unlocked through an interface
}

type item struct{ mu sync.Mutex }

type holder struct{ cur *item }

func (h *holder) rotate() { h.cur = &item{} }

func (h *holder) both() { // want both:"has locked p0.cur.mu; locks p0.cur.mu; locks p0.cur.mu"
	h.cur.mu.Lock()
	h.rotate()
	h.cur.mu.Lock() // ok: another item
}

func replace(p **item) { *p = &item{} }

func local() {
	o := &item{}
	o.mu.Lock()
	replace(&o)
	o.mu.Lock() // ok: another item
}

type statuses struct {
	mu sync.Mutex
	in chan int
	n  int
}

func newStatuses() *statuses { return &statuses{in: make(chan int)} }

func (s *statuses) run() { // want run:"locks p0.mu through (*statuses).next; waits for the receive from s.in, which can end in 1 ways through (*statuses).next; does not return"
	for {
		s.next()
	}
}

func (s *statuses) next() {
	v := <-s.in
	s.mu.Lock()
	s.n += v
	s.mu.Unlock()
}

func (s *statuses) set(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in <- v // want blocking/certain "s.mu (locked at line 205) is held across the send to s.in, which deadlocks: (*statuses).next at order.go:199 needs the same lock to unblock it; unlock first" @205 "s.mu is locked here" @199 "(*statuses).next needs the same lock here" @198 "and ends the wait only here"
}
