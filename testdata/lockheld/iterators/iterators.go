// Package iterators has locks that functions to range over hold while the body of the loop runs.
package iterators

import (
	"iter"
	"sync"
)

type S struct {
	mu sync.Mutex
	xs []int
}

func (s *S) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, x := range s.xs {
			if !yield(x) {
				return
			}
		}
	}
}

func (s *S) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.xs)
}

// Sum runs its body under the lock of All.
func (s *S) Sum() int {
	n := 0
	for x := range s.All() { // want relock/certain "s.mu (locked by the function literal of (*S).All) is locked again (iterators.go:27, via the function literal, (*S).Len), which deadlocks; unlock first, or call a variant that does not lock" @35 "s.mu is locked by the function literal of (*S).All (iterators.go:19)" @35 "calls the function literal" @36 "calls (*S).Len" @27 "second acquisition"
		n += x * s.Len()
	}
	return n
}

func (s *S) seq() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, x := range s.xs {
			if !yield(x) {
				return
			}
		}
	}
}

// Again ranges under the lock that All takes.
func (s *S) Again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range s.All() { // want relock/certain "s.mu (locked at line 53) is locked again (iterators.go:16, via the function literal of (*S).All), which deadlocks; unlock first, or call a variant that does not lock" @53 "s.mu is locked here" @55 "calls the function literal of (*S).All" @16 "second acquisition"
	}
}

// Plain holds nothing that the body needs.
func (s *S) Plain() int {
	n := 0
	for range s.seq() {
		n += s.Len()
	}
	return n
}
