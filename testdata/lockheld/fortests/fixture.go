// Package fortests has code that works for tests in one file, and code that does not in another one.
package fortests

import (
	"sync"
	"testing"
)

type store struct {
	mu sync.Mutex
	n  int
}

func (s *store) get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func check(t *testing.T, s *store) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.get() == 0 { // ok: a test, which the test runner ends
		t.Error("empty")
	}
}
