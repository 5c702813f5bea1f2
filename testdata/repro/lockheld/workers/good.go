package workers

import "sync"

// Good has a worker for each cluster.
type Good struct {
	mu      sync.Mutex
	running int
	workers sync.WaitGroup
	quit    chan struct{}
}

// NewGood has no workers.
func NewGood() *Good { return &Good{quit: make(chan struct{})} }

// Start adds a worker.
func (g *Good) Start() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running++
	g.workers.Add(1)
	go g.work()
}

func (g *Good) work() {
	defer g.workers.Done()
	<-g.quit
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
}

// Stop ends the workers and waits for them.
func (g *Good) Stop() {
	g.mu.Lock()
	close(g.quit)
	g.mu.Unlock()
	g.workers.Wait()
}
