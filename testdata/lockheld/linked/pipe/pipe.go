// Package pipe sends to channels that others have made and receive from.
package pipe

import "sync"

// Bus counts what it sends.
type Bus struct {
	mu   sync.Mutex
	sent int
	out  chan<- int
}

// NewBus sends to out.
func NewBus(out chan<- int) *Bus { return &Bus{out: out} }

// Put holds the lock until somebody has taken the number.
func (b *Bus) Put(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent++
	b.out <- n // want blocking/possible "b.mu (locked at line 18) is held across the send to b.out, which deadlocks: Report at drain.go:12 via (*Bus).Sent needs the same lock to unblock it; unlock first" @18 "b.mu is locked here" @drain.go:12 "Report calls (*Bus).Sent here" @26 "(*Bus).Sent needs the same lock here" @drain.go:11 "and ends the wait only here"
}

// Sent needs the lock.
func (b *Bus) Sent() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sent
}

// Line is as Bus, and who receives from it leaves its lock alone.
type Line struct {
	mu   sync.Mutex
	sent int
	out  chan<- int
}

// NewLine sends to out.
func NewLine(out chan<- int) *Line { return &Line{out: out} }

// Put holds the lock until somebody has taken the number.
func (l *Line) Put(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	l.out <- n // ok: the only receiver takes one number after the other
}
