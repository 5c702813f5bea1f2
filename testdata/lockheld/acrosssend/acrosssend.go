// Package acrosssend calls, under locks, what sends in another package.
package acrosssend

import (
	"sync"

	"example.com/operators/lockheld/acrosssend/queue"
)

type store struct {
	mu sync.Mutex
	q  *queue.Queue
	n  int
}

func (s *store) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n += n
	s.q.Put(n) // ok: the worker does not need this lock
}

func (s *store) addSome(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > 0 {
		s.q.Put(n) // ok: as above, behind a test
	}
}

func (s *store) addAll(ns ...int) {
	s.q.Lock()
	defer s.q.Unlock()
	for _, n := range ns {
		s.q.Put(n) // want blocking/certain "s.q.mu (locked at line 32) is held across the send to q.in (queue.go:29, via (*Queue).Put), which deadlocks: (*Queue).work at queue.go:22 needs the same lock to unblock it; unlock first" @32 "s.q.mu is locked here" @35 "calls (*Queue).Put" @queue.go:29 "blocks here" @queue.go:22 "(*Queue).work needs the same lock here" @queue.go:21 "and ends the wait only here"
	}
}

var _ = []any{(*store).add, (*store).addSome, (*store).addAll}
