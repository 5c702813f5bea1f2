// Package workers waits for its workers under the lock that they need to finish.
package workers

import "sync"

// Bad has a worker for each cluster.
type Bad struct {
	mu      sync.Mutex
	running int
	workers sync.WaitGroup
	quit    chan struct{}
}

// NewBad has no workers.
func NewBad() *Bad { return &Bad{quit: make(chan struct{})} }

// Start adds a worker.
func (b *Bad) Start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running++
	b.workers.Add(1)
	go b.work()
}

func (b *Bad) work() {
	defer b.workers.Done()
	<-b.quit
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
}

// Stop ends the workers and waits for them.
func (b *Bad) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.quit)
	b.workers.Wait() // want blocking/possible "b.mu (locked at line 36) is held across b.workers.Wait, which deadlocks: (*Bad).work at bad.go:29 needs the same lock to unblock it; unlock first" @36 "b.mu is locked here" @29 "(*Bad).work needs the same lock here" @27 "and ends the wait only here"
}
