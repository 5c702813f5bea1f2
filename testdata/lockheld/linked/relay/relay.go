// Package relay passes on what happens, with locks of its own held.
package relay

import "sync"

// A Publisher publishes, under its own lock.
type Publisher interface{ Publish(key string) }

// A Teller tells, with no lock held.
type Teller interface{ Tell(key string) }

// Relay passes on what is to be published.
type Relay struct {
	mu   sync.Mutex
	sent int
	to   Publisher
}

// New passes on to p.
func New(p Publisher) *Relay { return &Relay{to: p} }

// Publish holds the lock around what is done with another one held: who is told moves the wait for both.
func (r *Relay) Publish(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	r.to.Publish(key)
}

// Sent takes the lock, too.
func (r *Relay) Sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent
}

// Repeater passes on what is to be told.
type Repeater struct {
	mu   sync.Mutex
	sent int
	to   Teller
}

// NewRepeater passes on to t.
func NewRepeater(t Teller) *Repeater { return &Repeater{to: t} }

// Tell holds the lock around what is done without another one.
func (r *Repeater) Tell(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	r.to.Tell(key) // want blocking/possible "r.mu (locked at line 49) is held across cache.WaitForCacheSync (waiters.go:18, via (*Hub).Tell, (*Waiter).Changed), which may block forever waiting for the API server; unlock first" @49 "r.mu is locked here" @52 "calls (*Hub).Tell" @hub.go:57 "calls (*Waiter).Changed" @waiters.go:18 "blocks here"
}

// Sent takes the lock, too.
func (r *Repeater) Sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent
}
