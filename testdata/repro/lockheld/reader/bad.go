// Package reader takes a read lock twice, while a writer comes in between.
package reader

import "sync"

// Bad has the replicas of each cluster.
type Bad struct {
	mu       sync.RWMutex
	replicas map[string]int
}

// NewBad has a single cluster.
func NewBad() *Bad {
	return &Bad{replicas: map[string]int{"main": 3}}
}

// Set changes the replicas of a cluster.
func (b *Bad) Set(name string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas[name] = n
}

// Get gives the replicas of a cluster.
func (b *Bad) Get(name string) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.replicas[name]
}

// Total gives the replicas of all clusters.
func (b *Bad) Total(logf func(string, ...any)) (sum int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for name := range b.replicas {
		logf("counting %s", name)
		sum += b.Get(name) // want relock/possible "b.mu (read-locked at line 33) is read-locked again (bad.go:26, via (*Bad).Get), which deadlocks if a writer ((*Bad).Set at bad.go:19) waits in between; unlock first, or call a variant that does not lock" @33 "b.mu is read-locked here" @37 "calls (*Bad).Get" @26 "second acquisition" @19 "a writer waits here and blocks new readers"
	}
	return sum
}
