package guarded

import (
	"context"
	"sync"
	"time"
)

type limiter struct {
	mu    sync.Mutex
	slots chan struct{}
	n     int
}

func newLimiter() *limiter { return &limiter{slots: make(chan struct{}, 4)} }

// Run lets four functions run at a time; each gives its place back without the lock.
func (l *limiter) Run(fs []func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range fs {
		l.slots <- struct{}{} // ok: the goroutine needs no lock
		go func() {
			defer func() { <-l.slots }()
			f()
		}()
	}
}

// RunCounted counts them, but only after the place is free again.
func (l *limiter) RunCounted(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range n {
		l.slots <- struct{}{} // ok: the goroutine locks after its receive
		go func() {
			<-l.slots
			l.mu.Lock()
			l.n++
			l.mu.Unlock()
		}()
	}
}

// counted has places of its own.
type counted struct {
	mu    sync.Mutex
	slots chan struct{}
	n     int
}

func newCounted() *counted { return &counted{slots: make(chan struct{}, 4)} }

// Run has its goroutines count before they give their place back.
func (c *counted) Run(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range n {
		c.slots <- struct{}{} // want blocking/possible "c.mu (locked at line 56) is held across the send to c.slots, which deadlocks once the buffer is full: (*counted).Run at limits.go:61 needs the same lock to unblock it; unlock first" @56 "c.mu is locked here" @61 "(*counted).Run needs the same lock here" @64 "and ends the wait only here"
		go func() {
			c.mu.Lock()
			c.n++
			c.mu.Unlock()
			<-c.slots
		}()
	}
}

// single runs one loop at a time: its lock guards nothing else.
type single struct{ running sync.Mutex }

// Run goes on until its context ends.
func (s *single) Run(ctx context.Context, f func()) {
	s.running.Lock()
	defer s.running.Unlock()
	for ctx.Err() == nil {
		f()
		time.Sleep(time.Second) // ok: the context ends it
	}
}

// Receive goes on until its channel is closed.
func (s *single) Receive(c <-chan int) {
	if !s.running.TryLock() {
		return
	}
	defer s.running.Unlock()
	for v := range c { // ok: who sends is not in sight
		println(v)
	}
}

// restarted waits for the goroutine before it starts the next.
type restarted struct {
	mu         sync.Mutex
	stop, done chan struct{}
}

// Restart stops the old one and waits for it.
func (r *restarted) Restart(f func(stop <-chan struct{})) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		close(r.stop)
		<-r.done // ok: what f does is not in sight, and the rest needs no lock
	}
	stop, done := make(chan struct{}), make(chan struct{})
	r.stop, r.done = stop, done
	go func() {
		defer close(done)
		f(stop)
	}()
}
