package reader

import "sync"

// Good has the replicas of each cluster.
type Good struct {
	mu       sync.RWMutex
	replicas map[string]int
}

// NewGood has a single cluster.
func NewGood() *Good {
	return &Good{replicas: map[string]int{"main": 3}}
}

// Set changes the replicas of a cluster.
func (g *Good) Set(name string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.replicas[name] = n
}

// Get gives the replicas of a cluster.
func (g *Good) Get(name string) int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.replicas[name]
}

// Total gives the replicas of all clusters.
func (g *Good) Total(logf func(string, ...any)) (sum int) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	for name, n := range g.replicas {
		logf("counting %s", name)
		sum += n
	}
	return sum
}
