// Package order takes two locks in both orders.
package order

import "sync"

// Bad has clusters, and an index of them with a lock of its own.
type Bad struct {
	clusters struct {
		sync.Mutex
		zones map[string]string
	}
	index struct {
		sync.Mutex
		byZone map[string][]string
	}
}

// NewBad has no clusters.
func NewBad() *Bad {
	b := new(Bad)
	b.clusters.zones = make(map[string]string)
	b.index.byZone = make(map[string][]string)
	return b
}

// Add puts a cluster into a zone.
func (b *Bad) Add(name, zone string, logf func(string, ...any)) { // want Add:"locks p0.clusters.Mutex; locks p0.index.Mutex; calls p3 with p0.clusters.Mutex locked"
	b.clusters.Lock()
	defer b.clusters.Unlock()
	b.clusters.zones[name] = zone
	logf("added %s", name)
	b.index.Lock() // want order/possible "lock order cycle: (*Bad).Add locks order.Bad.index.Mutex while holding order.Bad.clusters.Mutex (bad.go:32); (*Bad).Reindex locks order.Bad.clusters.Mutex while holding order.Bad.index.Mutex (bad.go:42): concurrent calls deadlock; acquire them in one order" @28 "b.clusters.Mutex is locked here" @32 "order.Bad.index.Mutex is acquired here" @39 "b.index.Mutex is locked here" @42 "order.Bad.clusters.Mutex is acquired here"
	defer b.index.Unlock()
	b.index.byZone[zone] = append(b.index.byZone[zone], name)
}

// Reindex makes the index anew.
func (b *Bad) Reindex() {
	b.index.Lock()
	defer b.index.Unlock()
	clear(b.index.byZone)
	b.clusters.Lock()
	defer b.clusters.Unlock()
	for name, zone := range b.clusters.zones {
		b.index.byZone[zone] = append(b.index.byZone[zone], name)
	}
}
