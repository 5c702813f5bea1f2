// Package valve waits for its reader or its end, with its lock held.
package valve

import "sync"

// A Valve has a reader that comes for the lock between two values.
type Valve struct {
	mu   sync.Mutex
	ch   chan int
	stop chan struct{}
	n    int
}

// New makes one that runs.
func New() *Valve {
	v := &Valve{ch: make(chan int), stop: make(chan struct{})}
	go v.read()
	return v
}

func (v *Valve) read() {
	for x := range v.ch {
		v.mu.Lock()
		v.n += x
		v.mu.Unlock()
	}
}

// Put would end with Stop, which nobody calls.
func (v *Valve) Put(x int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	select { // want blocking/possible "v.mu (locked at line 31) is held across the select on v.ch, which deadlocks: (*Valve).read at valve.go:23 needs the same lock to unblock it, and nothing in the program calls (*Valve).Stop; unlock first" @31 "v.mu is locked here" @23 "(*Valve).read needs the same lock here" @22 "and ends the wait only here"
	case v.ch <- x:
	case <-v.stop:
	}
}

// Stop ends it.
func (v *Valve) Stop() { close(v.stop) }

// A Tap is the same, and is stopped.
type Tap struct {
	mu   sync.Mutex
	ch   chan int
	stop chan struct{}
	n    int
}

// NewTap makes one that runs.
func NewTap() *Tap {
	v := &Tap{ch: make(chan int), stop: make(chan struct{})}
	go v.read()
	return v
}

func (v *Tap) read() {
	for x := range v.ch {
		v.mu.Lock()
		v.n += x
		v.mu.Unlock()
	}
}

// Put ends with Stop.
func (v *Tap) Put(x int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case v.ch <- x:
	case <-v.stop:
	}
}

// Stop ends it.
func (v *Tap) Stop() { close(v.stop) }
