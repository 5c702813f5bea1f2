package leak

import "sync"

// Good has the names of clusters.
type Good struct {
	mu    sync.Mutex
	known map[string]bool
}

// NewGood has no names.
func NewGood() *Good { return &Good{known: make(map[string]bool)} }

// Add adds a name.
func (g *Good) Add(name string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known[name] {
		return errKnown
	}
	g.known[name] = true
	return nil
}
