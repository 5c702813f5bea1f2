// Package semaphore acquires semaphores with locks held.
package semaphore

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A Pool has workers that come for the lock before they give their share back.
type Pool struct {
	mu   sync.Mutex
	sem  *semaphore.Weighted
	done int
}

func NewPool() *Pool { return &Pool{sem: semaphore.NewWeighted(3)} }

func (p *Pool) Start(ctx context.Context, work func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.sem.Acquire(context.Background(), 1); err != nil { // want blocking/certain "p.mu (locked at line 21) is held across p.sem.Acquire, which deadlocks: (*Pool).Start at semaphore.go:29 needs the same lock to unblock it; unlock first" @21 "p.mu is locked here" @29 "(*Pool).Start needs the same lock here" @27 "and ends the wait only here"
		return err
	}
	go func() {
		defer p.sem.Release(1)
		work()
		p.mu.Lock()
		p.done++
		p.mu.Unlock()
	}()
	return nil
}

// A Free one has workers that need no lock.
type Free struct {
	mu      sync.Mutex
	sem     *semaphore.Weighted
	started int
}

func NewFree() *Free { return &Free{sem: semaphore.NewWeighted(3)} }

func (p *Free) Start(ctx context.Context, work func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	p.started++
	go func() {
		defer p.sem.Release(1)
		work()
	}()
	return nil
}

// A Given semaphore is another's: who has its shares is not in sight.
type Given struct {
	mu  sync.Mutex
	sem *semaphore.Weighted
}

func NewGiven(sem *semaphore.Weighted) *Given { return &Given{sem: sem} }

func (p *Given) Do(work func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.sem.Acquire(context.Background(), 1); err != nil { // want blocking/possible "p.mu (locked at line 68) is held across p.sem.Acquire, which may block forever waiting for the semaphore; unlock first" @68 "p.mu is locked here"
		return err
	}
	defer p.sem.Release(1)
	work()
	return nil
}

// A Turn is taken in one order here, and in the other there.
type Turn struct {
	mu   sync.Mutex
	turn *semaphore.Weighted
	n    int
}

func NewTurn() *Turn { return &Turn{turn: semaphore.NewWeighted(1)} }

func (t *Turn) LockFirst() {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.turn.Acquire(context.Background(), 1) // want blocking/certain "t.mu (locked at line 88) is held across t.turn.Acquire, which deadlocks: (*Turn).TurnFirst at semaphore.go:98 needs the same lock to unblock it; unlock first" @88 "t.mu is locked here" @98 "(*Turn).TurnFirst needs the same lock here" @97 "and ends the wait only here"
	t.n++
	t.turn.Release(1)
}

func (t *Turn) TurnFirst() {
	_ = t.turn.Acquire(context.Background(), 1)
	defer t.turn.Release(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n--
}
