package relock

import "sync"

// Good knows which clusters are ready.
type Good struct {
	mu    sync.Mutex
	ready map[string]bool
}

// NewGood knows of no cluster.
func NewGood() *Good { return &Good{ready: make(map[string]bool)} }

// MarkReady says that a cluster is ready.
func (g *Good) MarkReady(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.markReady(name)
}

// Resync starts over with the clusters that are ready now.
func (g *Good) Resync(names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.ready)
	for _, name := range names {
		g.markReady(name)
	}
}

// markReady is called with g.mu held.
func (g *Good) markReady(name string) { g.ready[name] = true }
