// Package expectations notes which pods a TrainingJob waits to see.
package expectations

import (
	"sync"
	"time"
)

const ttl = 5 * time.Minute

type entry struct {
	add, del int
	since    time.Time
}

// Store of expectations by key of the job.
type Store struct {
	mu      sync.Mutex
	entries map[string]*entry
}

// New makes an empty store.
func New() *Store { return &Store{entries: map[string]*entry{}} }

// ExpectCreations replaces what is expected for key by n creations.
func (s *Store) ExpectCreations(key string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[key] = &entry{add: n, since: time.Now()}
}

// ExpectDeletions replaces what is expected for key by n deletions.
func (s *Store) ExpectDeletions(key string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[key] = &entry{del: n, since: time.Now()}
}

// CreationObserved lowers the creations by one.
func (s *Store) CreationObserved(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		e.add--
	}
}

// DeletionObserved lowers the deletions by one.
func (s *Store) DeletionObserved(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		e.del--
	}
}

// SatisfiedExpectations says whether all has been seen, or is overdue.
func (s *Store) SatisfiedExpectations(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	return e == nil || (e.add <= 0 && e.del <= 0) || time.Since(e.since) > ttl
}

// DeleteExpectations forgets key.
func (s *Store) DeleteExpectations(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.entries, key)
}
