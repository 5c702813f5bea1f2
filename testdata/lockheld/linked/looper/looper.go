// Package looper runs loops with a lock held.
package looper

import (
	"sync"

	"example.com/operators/lockheld/linked/option"
)

// Quick has loops of one kind.
type Quick struct {
	mu   sync.Mutex
	loop option.Loop
}

// NewQuick makes the loop without the option.
func NewQuick() *Quick { return &Quick{loop: option.New(option.Options{})} }

// Run never waits.
func (q *Quick) Run() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.loop.Run()
}

// Stop takes the lock, too.
func (q *Quick) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.loop = nil
}

// Slow has loops that wait.
type Slow struct {
	mu   sync.Mutex
	loop option.PatientLoop
}

// NewSlow makes the loop with the options that it is given.
func NewSlow(options option.Options) *Slow { return &Slow{loop: option.NewPatient(options)} }

// Run may wait.
func (s *Slow) Run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loop.RunPatiently() // want blocking/possible "s.mu (locked at line 44) is held across cache.WaitForCacheSync (option.go:50, via (*patient).RunPatiently), which may block forever waiting for the API server; unlock first" @44 "s.mu is locked here" @46 "calls (*patient).RunPatiently" @option.go:50 "blocks here"
}

// Stop takes the lock, too.
func (s *Slow) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loop = nil
}
