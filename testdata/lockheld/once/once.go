// Package once has methods that are left with a lock where they are called twice on one object.
package once

import (
	"context"
	"sync"
)

type session struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	done   bool
}

func newSession() *session { return &session{} }

// connect is called once on each.
func (s *session) connect(run func(context.Context)) {
	s.mu.Lock()
	if s.cancel != nil {
		return // ok: each session is made for one call of this
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.mu.Unlock()
	run(ctx)
}

// close is called by whoever has one.
func (s *session) close() {
	s.mu.Lock()
	if s.done {
		return // want leak/certain "s.mu (locked at line 31) is still held when (*session).close returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @31 "s.mu is locked here"
	}
	s.done = true
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel = nil
	s.mu.Unlock()
}

type sessions struct {
	mu  sync.Mutex
	all map[string]*session
}

func (s *sessions) add(name string, run func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made := newSession()
	go made.connect(run)
	s.all[name] = made
}

func (s *sessions) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.all[name]; old != nil {
		old.close()
	}
}

type link struct {
	mu sync.Mutex
	up bool
}

// raise is called again on the same one.
func (l *link) raise() {
	l.mu.Lock()
	if l.up {
		return // want leak/certain "l.mu (locked at line 71) is still held when (*link).raise returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @71 "l.mu is locked here"
	}
	l.up = true
	l.mu.Unlock()
}

func raised(times int) {
	l := &link{}
	for range times {
		l.raise()
	}
}

var _ = []any{(*sessions).add, (*sessions).remove, raised}
