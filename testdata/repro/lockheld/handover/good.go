package handover

import "sync"

// Good hands the names of clusters to a worker.
type Good struct {
	mu      sync.Mutex
	queued  int
	handled int
	names   chan string
}

// NewGood has nothing to do.
func NewGood() *Good { return &Good{names: make(chan string)} }

// Run handles names until Close.
func (g *Good) Run() {
	for range g.names {
		g.mu.Lock()
		g.handled++
		g.mu.Unlock()
	}
}

// Put hands names to Run.
func (g *Good) Put(names ...string) {
	g.mu.Lock()
	g.queued += len(names)
	g.mu.Unlock()
	for _, name := range names {
		g.names <- name
	}
}

// Close ends Run.
func (g *Good) Close() { close(g.names) }
