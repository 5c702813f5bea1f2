package guarded

import (
	"sync"
	"sync/atomic"
	"time"
)

type sum struct {
	mu    sync.Mutex
	value atomic.Int64
	ready atomic.Bool
	total int64
}

// Add tries again where somebody else has added in between.
func (s *sum) Add(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		old := s.value.Load()
		if s.value.CompareAndSwap(old, old+n) {
			break
		}
		time.Sleep(time.Millisecond) // ok: the others go on
	}
	s.total += n
}

// Wait is for somebody to say that all is ready.
func (s *sum) Wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ready.Load() {
		time.Sleep(time.Millisecond) // want blocking/possible "s.mu (locked at line 32) is held across time.Sleep, which may block forever waiting for its condition to hold; unlock first" @32 "s.mu is locked here"
	}
	s.total = 0
}
