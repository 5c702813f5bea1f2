// Package emptied fills channels that it has just emptied, with a lock held.
package emptied

import "sync"

// A Latest keeps the newest value for who polls: only put fills the channel, and has emptied it with the lock held.
type Latest struct {
	mu sync.Mutex
	c  chan int
}

func NewLatest() *Latest { return &Latest{c: make(chan int, 1)} }

// Updates is where the values come.
func (x *Latest) Updates() <-chan int { return x.c }

func (x *Latest) Set(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(n)
}

func (x *Latest) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(0)
}

func (x *Latest) put(n int) {
	select {
	case <-x.c:
	default:
	}
	x.c <- n
}

// A Racy one has two that put at once: both empty the channel, and the second to fill it waits.
type Racy struct {
	mu sync.RWMutex
	c  chan int
}

func NewRacy() *Racy { return &Racy{c: make(chan int, 1)} }

// Updates is where the values come.
func (x *Racy) Updates() <-chan int { return x.c }

func (x *Racy) Set(n int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	x.put(n)
}

func (x *Racy) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(0) // want blocking/possible "x.mu (locked at line 55) is held across the send to x.c (emptied.go:65, through (*Racy).put), which cannot end once the buffer is full: (*Racy).Set at emptied.go:49 needs the same lock before it gets there; unlock first" @55 "x.mu is locked here" @57 "calls (*Racy).put" @65 "blocks here" @49 "(*Racy).Set needs the same lock here" @61 "and ends the wait only here"
}

func (x *Racy) put(n int) {
	select {
	case <-x.c:
	default:
	}
	x.c <- n
}

// A Twice puts two where there is room for one.
type Twice struct {
	mu sync.Mutex
	c  chan int
}

func NewTwice() *Twice { return &Twice{c: make(chan int, 1)} }

// Updates is where the values come.
func (x *Twice) Updates() <-chan int { return x.c }

func (x *Twice) Set(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(n)
}

func (x *Twice) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(0) // want blocking/possible "x.mu (locked at line 86) is held across the send to x.c (emptied.go:97, through (*Twice).put), which cannot end once the buffer is full: (*Twice).Set at emptied.go:80 needs the same lock before it gets there; unlock first" @86 "x.mu is locked here" @88 "calls (*Twice).put" @97 "blocks here" @80 "(*Twice).Set needs the same lock here" @92 "and ends the wait only here"
}

func (x *Twice) put(n int) {
	select {
	case <-x.c:
	default:
	}
	x.c <- n
	x.c <- -n
}

// A Filled one has somebody who fills the channel without the lock.
type Filled struct {
	mu sync.Mutex
	c  chan int
}

func NewFilled() *Filled { return &Filled{c: make(chan int, 1)} }

// Updates is where the values come.
func (x *Filled) Updates() <-chan int { return x.c }

func (x *Filled) Set(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(n)
}

func (x *Filled) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.put(0) // want blocking/possible "x.mu (locked at line 118) is held across the send to x.c (emptied.go:128, through (*Filled).put), which cannot end once the buffer is full: (*Filled).Set at emptied.go:112 needs the same lock before it gets there; unlock first" @118 "x.mu is locked here" @120 "calls (*Filled).put" @128 "blocks here" @112 "(*Filled).Set needs the same lock here" @124 "and ends the wait only here"
}

func (x *Filled) put(n int) {
	select {
	case <-x.c:
	default:
	}
	x.c <- n
}

func (x *Filled) Offer() bool {
	select {
	case x.c <- 0:
		return true
	default:
		return false
	}
}
