// Package soon waits under a lock for what is there soon.
package soon

import (
	"context"
	"sync"
	"time"
)

type stopper struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	quit   chan struct{}
	tasks  map[string]bool
}

func (s *stopper) running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tasks)
}

// stop waits until all have ended that it has told to.
func (s *stopper) stop() {
	s.cancel()
	for {
		if s.running() == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// shut does so by a channel.
func (s *stopper) shut() {
	close(s.quit)
	for s.running() > 0 {
		time.Sleep(5 * time.Millisecond)
	}
}

// drain waits for those who do not know that they are waited for.
func (s *stopper) drain(now bool) {
	if now {
		s.cancel()
	}
	for s.running() > 0 {
		time.Sleep(5 * time.Millisecond)
	}
}

type manager struct {
	mu       sync.Mutex
	stoppers map[string]*stopper
}

func (m *manager) stop(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stoppers[name].stop() // ok: they end soon
}

func (m *manager) shut(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stoppers[name].shut() // ok
}

func (m *manager) drain(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stoppers[name].drain(false) // want blocking/possible "m.mu (locked at line 70) is held across time.Sleep (soon.go:48, via (*stopper).drain), which may block forever waiting for its condition to hold; unlock first" @70 "m.mu is locked here" @72 "calls (*stopper).drain" @48 "blocks here"
}

type counter struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	left   int
}

func (c *counter) done() {
	c.mu.Lock()
	c.left--
	c.mu.Unlock()
}

// wait has told them to end, and keeps them from it.
func (c *counter) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel()
	for c.left > 0 {
		time.Sleep(5 * time.Millisecond) // want blocking/certain "c.mu (locked at line 89) is held across time.Sleep, which deadlocks: (*counter).done at soon.go:82 needs the same lock to unblock it; unlock first" @89 "c.mu is locked here" @82 "(*counter).done needs the same lock here" @83 "and ends the wait only here"
	}
}
