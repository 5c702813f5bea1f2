package order

import "sync"

// Good has clusters, and an index of them with a lock of its own, which is taken last.
type Good struct {
	clusters struct {
		sync.Mutex
		zones map[string]string
	}
	index struct {
		sync.Mutex
		byZone map[string][]string
	}
}

// NewGood has no clusters.
func NewGood() *Good {
	g := new(Good)
	g.clusters.zones = make(map[string]string)
	g.index.byZone = make(map[string][]string)
	return g
}

// Add puts a cluster into a zone.
func (g *Good) Add(name, zone string, logf func(string, ...any)) {
	g.clusters.Lock()
	defer g.clusters.Unlock()
	g.clusters.zones[name] = zone
	logf("added %s", name)
	g.index.Lock()
	defer g.index.Unlock()
	g.index.byZone[zone] = append(g.index.byZone[zone], name)
}

// Reindex makes the index anew.
func (g *Good) Reindex() {
	g.clusters.Lock()
	defer g.clusters.Unlock()
	g.index.Lock()
	defer g.index.Unlock()
	clear(g.index.byZone)
	for name, zone := range g.clusters.zones {
		g.index.byZone[zone] = append(g.index.byZone[zone], name)
	}
}
