package guarded

import (
	"sync"
	"time"
)

// inbox keeps a channel for each answer that somebody waits for.
type inbox struct {
	mu      sync.RWMutex
	answers map[string]chan int
}

// One waits for an answer, and no longer than a time.
func (b *inbox) One(id string, timeout time.Duration) (int, bool) {
	answer := make(chan int)
	b.mu.Lock()
	b.answers[id] = answer
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		delete(b.answers, id)
		b.mu.Unlock()
	}()
	select {
	case n := <-answer:
		return n, true
	case <-time.After(timeout):
		return 0, false
	}
}

// Deliver waits for whoever has asked, who may want the lock to leave.
func (b *inbox) Deliver(id string, n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if answer, ok := b.answers[id]; ok {
		answer <- n // want blocking/possible "b.mu (read-locked at line 35) is held across the send to b.answers[id], which blocks forever once its receiver exits: (*inbox).One at rest.go:25 does, and then acquires the same lock; unlock first" @35 "b.mu is read-locked here" @25 "the receiver can exit here" @21 "and then acquires the same lock here"
	}
}

// Collect takes what has come until then: what is received once the channel is closed ends no send.
func (b *inbox) Collect(id string, room int) (sum int) {
	answers := make(chan int, room)
	b.mu.Lock()
	b.answers[id] = answers
	b.mu.Unlock()
	finish := func() {
		b.mu.Lock()
		delete(b.answers, id)
		close(answers)
		b.mu.Unlock()
		for n := range answers {
			sum += n
		}
	}
	time.Sleep(time.Second)
	finish()
	return sum
}
