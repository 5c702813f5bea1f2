package guarded

import (
	"context"
	"sync"
)

// closing gives up its promise by closing the channel itself.
type closing struct {
	mu   sync.Mutex
	done chan struct{}
}

// Start closes the channel where it starts nothing.
func (c *closing) Start(prepare func() error, work func()) error {
	done := make(chan struct{})
	c.done = done
	if err := prepare(); err != nil {
		close(done)
		return err
	}
	go func() {
		defer close(done)
		work()
	}()
	return nil
}

// Wait waits for either.
func (c *closing) Wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	<-c.done // ok: closed in any case
}

// deferring does so in a deferred function.
type deferring struct {
	mu   sync.Mutex
	done chan struct{}
}

// Start closes the channel on its way out.
func (d *deferring) Start(prepare func() error, work func()) (err error) {
	d.done = make(chan struct{})
	defer func() {
		if err != nil {
			close(d.done)
		}
	}()
	if err := prepare(); err != nil {
		return err
	}
	done := d.done
	go func() {
		defer close(done)
		work()
	}()
	return nil
}

// Wait waits for either.
func (d *deferring) Wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	<-d.done // ok: closed in any case
}

// resetting takes the channel away again.
type resetting struct {
	mu   sync.Mutex
	done chan struct{}
}

// Start leaves nil where it starts nothing.
func (r *resetting) Start(prepare func() error, work func()) error {
	r.done = make(chan struct{})
	if err := prepare(); err != nil {
		r.done = nil
		return err
	}
	done := r.done
	go func() {
		defer close(done)
		work()
	}()
	return nil
}

// Wait looks first.
func (r *resetting) Wait() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == nil {
		return
	}
	<-r.done // ok: there is a goroutine
}

// draining goes on to receive when it is told to stop.
type draining struct {
	mu sync.Mutex
	in chan int
}

func newDraining(ctx context.Context) *draining {
	d := &draining{in: make(chan int)}
	go func() {
		for {
			select {
			case v := <-d.in:
				println(v)
			case <-ctx.Done():
				for range d.in {
				}
				return
			}
		}
	}()
	return d
}

// Put always finds somebody.
func (d *draining) Put(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in <- v // ok: what comes after the end is received, too
}

// sending has a flag that says whether the channel is open, and a receiver that stays until it is closed.
type sending struct {
	mu     sync.RWMutex
	closed bool
	c      chan int
	n      int
}

func newSending() *sending {
	s := &sending{c: make(chan int)}
	go func() {
		for v := range s.c {
			println(v)
		}
		s.mu.Lock()
		s.n = -1
		s.mu.Unlock()
	}()
	return s
}

// Send holds the lock so that nobody closes the channel meanwhile.
func (s *sending) Send(v int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return false
	}
	s.c <- v // ok: the receiver locks when all is over
	return true
}

// Close closes it once nobody sends.
func (s *sending) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	close(s.c)
}
