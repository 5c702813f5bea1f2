// Package shelf has iterators for other packages.
package shelf

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// A Shelf is a map for several goroutines.
type Shelf[V any] struct {
	mu    sync.RWMutex
	books map[string]V
}

// Put adds a book.
func (s *Shelf[V]) Put(title string, book V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[title] = book
}

// Books holds the lock while the body runs.
func (s *Shelf[V]) Books() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		for title, book := range s.books {
			if !yield(title, book) {
				return
			}
		}
	}
}

// Titles has given the lock back before the body runs.
func (s *Shelf[V]) Titles() iter.Seq[string] {
	return func(yield func(string) bool) {
		s.mu.RLock()
		titles := slices.Collect(maps.Keys(s.books))
		s.mu.RUnlock()
		for _, title := range titles {
			if !yield(title) {
				return
			}
		}
	}
}

// Visit gives a function that calls f with the lock held.
func (s *Shelf[V]) Visit(f func(*Shelf[V])) func() {
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f(s)
	}
}

// Len waits only where it is asked for.
func Len[V any](s *Shelf[V], locked bool) func() int {
	return func() int {
		if !locked {
			s.mu.RLock()
			defer s.mu.RUnlock()
		}
		return len(s.books)
	}
}
