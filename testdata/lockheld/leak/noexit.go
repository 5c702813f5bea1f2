package leak

import (
	"fmt"
	"iter"
	"log"
	"os"
	"sync"
	"testing"
)

type scheme struct {
	mu    sync.RWMutex
	kinds map[string]int
}

// Must panics with the lock held: a panic is no way out that anybody goes on from.
func (s *scheme) Must(kind string) int {
	s.mu.Lock()
	v, ok := s.kinds[kind]
	if !ok {
		panic("no " + kind) // ok: no return
	}
	s.mu.Unlock()
	return v
}

// Fatal ends the process.
func (s *scheme) Fatal(kind string) int {
	s.mu.Lock()
	v, ok := s.kinds[kind]
	if !ok {
		log.Fatalf("no %s", kind)
	}
	if v < 0 {
		os.Exit(2)
	}
	s.mu.Unlock()
	return v // ok: unlocked
}

func die(format string, args ...any) { // want die:"does not return"
	fmt.Fprintf(os.Stderr, format, args...)
	os.Exit(1)
}

// Die ends it through a function of this package.
func (s *scheme) Die(kind string) int {
	s.mu.Lock()
	if s.kinds[kind] == 0 {
		die("no %s\n", kind)
		return 0 // ok: die does not come back
	}
	v := s.kinds[kind]
	s.mu.Unlock()
	return v
}

func (s *scheme) check(t testing.TB, kind string, want int) {
	s.mu.Lock()
	if s.kinds[kind] != want {
		t.Fatalf("%s = %d, want %d", kind, s.kinds[kind], want) // ok: the test is over
	}
	s.mu.Unlock()
}

func (s *scheme) freeze(t testing.TB) int {
	s.mu.Lock()
	if len(s.kinds) == 0 {
		s.mu.Unlock()
		return 0
	}
	t.Cleanup(s.mu.Unlock)
	return len(s.kinds) // ok: the end of the test unlocks
}

// Call unlocks itself on the way that ends well, and lets the deferred function do it after a panic.
func (s *scheme) Call(f func() int) (err error) {
	s.mu.Lock()
	defer func() {
		if r := recover(); r != nil {
			s.mu.Unlock()
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	s.kinds["called"] = f()
	s.mu.Unlock()
	return nil // ok: unlocked on both ways
}

// All is an iterator that unlocks where its consumer stops, and at its end.
func (s *scheme) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		s.mu.RLock()
		for k := range s.kinds {
			if !yield(k) {
				s.mu.RUnlock()
				return // ok: unlocked
			}
		}
		s.mu.RUnlock()
	}
}

type workItems struct {
	mu   sync.Mutex
	keys []string
	wake chan struct{}
	done chan struct{}
}

// Pop unlocks before each wait, so that the exit in the middle of the loop holds nothing.
func (w *workItems) Pop() (string, bool) {
	w.mu.Lock()
	for len(w.keys) == 0 {
		w.mu.Unlock()
		select {
		case <-w.wake:
		case <-w.done:
			return "", false // ok: unlocked before the select
		}
		w.mu.Lock()
	}
	k := w.keys[0]
	w.keys = w.keys[1:]
	w.mu.Unlock()
	return k, true
}
