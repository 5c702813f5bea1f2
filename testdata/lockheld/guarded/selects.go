package guarded

import (
	"context"
	"sync"
	"time"
)

type dropping struct {
	mu      sync.Mutex
	n, lost int
	c       chan int
	quit    chan struct{}
}

func newDropping() *dropping {
	d := &dropping{c: make(chan int), quit: make(chan struct{})}
	go d.loop()
	return d
}

func (d *dropping) loop() {
	for {
		select {
		case v := <-d.c:
			d.mu.Lock()
			d.n += v
			d.mu.Unlock()
		case <-d.quit:
			return
		}
	}
}

// Stop needs no lock.
func (d *dropping) Stop() { close(d.quit) }

// Put loses what nobody takes at once.
func (d *dropping) Put(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.c <- v: // ok: default
	default:
		d.lost++
	}
}

// PutTimer gives up after a while.
func (d *dropping) PutTimer(v int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.c <- v: // ok: the timer
		return true
	case <-time.After(time.Second):
		return false
	}
}

// PutContext lets its caller give up.
func (d *dropping) PutContext(ctx context.Context, v int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.c <- v: // ok: the context
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// PutUntil gives up when all ends, and that needs no lock.
func (d *dropping) PutUntil(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.c <- v: // ok: Stop does not take the lock
	case <-d.quit:
	}
}

type press struct {
	mu     sync.Mutex
	jobs   chan int
	quit   chan struct{}
	closed bool
	n      int
}

func newPress() *press {
	p := &press{jobs: make(chan int), quit: make(chan struct{})}
	go p.work()
	return p
}

func (p *press) work() {
	for {
		select {
		case j := <-p.jobs:
			p.mu.Lock()
			p.n += j
			p.mu.Unlock()
		case <-p.quit:
			return
		}
	}
}

// Print has a way out that is opened under the same lock.
func (p *press) Print(j int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select { // want blocking/certain "p.mu (locked at line 112) is held across the select on p.jobs, which deadlocks: (*press).work at selects.go:101 needs the same lock to unblock it; unlock first" @112 "p.mu is locked here" @101 "(*press).work needs the same lock here" @99 "and ends the wait only here"
	case p.jobs <- j:
	case <-p.quit:
	}
}

// Close opens it.
func (p *press) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.quit)
	}
}

type spill struct {
	mu         sync.Mutex
	fast, slow chan int
	total      int
}

func newSpill() *spill {
	s := &spill{fast: make(chan int), slow: make(chan int)}
	go s.sink()
	return s
}

func (s *spill) sink() {
	for v := range s.slow {
		s.mu.Lock()
		s.total += v
		s.mu.Unlock()
	}
}

// Put waits in the very case that should not.
func (s *spill) Put(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.fast <- v:
	default:
		s.slow <- v // want blocking/certain "s.mu (locked at line 152) is held across the send to s.slow, which deadlocks: (*spill).sink at selects.go:144 needs the same lock to unblock it; unlock first" @152 "s.mu is locked here" @144 "(*spill).sink needs the same lock here" @143 "and ends the wait only here"
	}
}

type parked struct{ mu sync.Mutex }

// Park never comes back.
func (p *parked) Park() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {} // missed: who writes that means to stay, or waits for a crash
}
