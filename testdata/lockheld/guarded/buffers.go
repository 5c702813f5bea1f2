// Package guarded waits under locks where something says that the wait ends: a flag, a buffer, a deadline. Where that
// something is not to be relied on, the wait is reported.
package guarded

import (
	"errors"
	"sync"
)

type result struct {
	mu sync.Mutex
	n  int
}

// Async sends once into a buffer that it has made itself.
func (r *result) Async() <-chan int {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := make(chan int, 1)
	res <- r.n // ok: one send, one place
	return res
}

// Either sends once on each way.
func (r *result) Either(negative bool) int { // want Either:"locks p0.mu; waits for the send to a chan int, which others may end if p1 == false; waits for the receive from a chan int, which can end in 2 ways; waits for the send to a chan int, which others may end if p1 == true"
	res := make(chan int, 1)
	r.mu.Lock()
	if negative {
		res <- -r.n // ok: one send a path
	} else {
		res <- r.n // ok: one send a path
	}
	r.mu.Unlock()
	return <-res
}

// Fill makes as many places as it sends.
func (r *result) Fill(values []int) (sum int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := make(chan int, len(values))
	for _, v := range values {
		c <- v + r.n // ok: a place for each
	}
	close(c)
	for v := range c { // ok: closed above
		sum += v
	}
	return sum
}

// Check may send twice into one place before anybody receives.
func (r *result) Check() error {
	errs := make(chan error, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n < 0 {
		errs <- errors.New("negative")
	}
	if r.n%2 != 0 {
		errs <- errors.New("odd") // missed: the sends on one path to a local channel are not counted
	}
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

type batch struct {
	mu   sync.Mutex
	ch   chan string
	seen map[string]bool
}

func newBatch() *batch {
	b := &batch{ch: make(chan string, 1), seen: map[string]bool{}}
	go b.drain()
	return b
}

func (b *batch) drain() {
	for k := range b.ch {
		b.mu.Lock()
		b.seen[k] = true
		b.mu.Unlock()
	}
}

// Add fills one place in a loop, and the receiver needs the lock.
func (b *batch) Add(keys ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, k := range keys {
		if !b.seen[k] {
			b.ch <- k // want blocking/possible "b.mu (locked at line 93) is held across the send to b.ch, which deadlocks once the buffer is full: (*batch).drain at buffers.go:85 needs the same lock to unblock it; unlock first" @93 "b.mu is locked here" @85 "(*batch).drain needs the same lock here" @84 "and ends the wait only here"
		}
	}
}

type nudge struct {
	mu   sync.Mutex
	set  bool
	wake chan struct{}
	n    int
}

func newNudge() *nudge {
	n := &nudge{wake: make(chan struct{}, 1)}
	go n.loop()
	return n
}

func (n *nudge) loop() {
	for range n.wake {
		n.mu.Lock()
		n.set = false
		n.n++
		n.mu.Unlock()
	}
}

// Poke sends where the flag says that the place is free; the receiver resets the flag after it has received.
func (n *nudge) Poke() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.set {
		n.set = true
		n.wake <- struct{}{} // ok: the flag
	}
}

// PokeLen asks the channel itself, and all senders have the lock.
func (n *nudge) PokeLen() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.wake) < cap(n.wake) {
		n.wake <- struct{}{} // ok: the length
	}
}

type answers struct {
	mu      sync.Mutex
	pending map[int]chan string
}

func newAnswers() *answers { return &answers{pending: map[int]chan string{}} }

// Ask leaves a channel with one place in the map.
func (a *answers) Ask(id int) string {
	ch := make(chan string, 1)
	a.mu.Lock()
	a.pending[id] = ch
	a.mu.Unlock()
	return <-ch // ok: unlocked
}

// Answer takes the channel out of the map: nobody else sends to it.
func (a *answers) Answer(id int, s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ch, ok := a.pending[id]; ok {
		delete(a.pending, id)
		ch <- s // ok: one place, one send
	}
}
