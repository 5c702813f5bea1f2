package condition

import "sync"

// Good collects the names of clusters.
type Good struct {
	batch sync.Mutex // held while a batch is put together
	mu    sync.Mutex
	some  *sync.Cond
	names []string
}

// NewGood has no names.
func NewGood() *Good {
	g := new(Good)
	g.some = sync.NewCond(&g.mu)
	return g
}

// Put adds a batch of names.
func (g *Good) Put(names ...string) {
	g.batch.Lock()
	defer g.batch.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.names = append(g.names, names...)
	g.some.Broadcast()
}

// Take waits for names and gives all of them.
func (g *Good) Take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.names) == 0 {
		g.some.Wait()
	}
	names := g.names
	g.names = nil
	return names
}
