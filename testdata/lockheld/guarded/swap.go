package guarded

import (
	"sync"
	"sync/atomic"
	"time"
)

type sum struct {
	mu    sync.Mutex
	value atomic.Int64
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
