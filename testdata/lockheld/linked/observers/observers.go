// Package observers has lists of observers that other packages fill.
package observers

import "sync"

// An Observer is told what happens.
type Observer interface {
	Down(name string)
	Failed(name string)
}

// A List tells its observers with its lock held.
type List struct {
	mu  sync.Mutex
	obs []Observer
}

// Add is for new observers.
func (l *List) Add(o Observer) { l.obs = append(l.obs, o) }

// Down tells them all.
func (l *List) Down(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.obs {
		o.Down(name) // want order/possible "lock order cycle: (*List).Down locks stations.Station.mu while holding observers.List.mu (stations.go:26); (*Station).Sweep locks observers.List.mu while holding stations.Station.mu (observers.go:32): concurrent calls deadlock; acquire them in one order" @23 "l.mu is locked here" @26 "calls (*Station).Down" @stations.go:26 "acquires stations.Station.mu" @stations.go:36 "s.mu is locked here" @stations.go:39 "calls (*List).Failed" @32 "acquires observers.List.mu"
	}
}

// Failed tells them all.
func (l *List) Failed(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.obs {
		o.Failed(name)
	}
}

// A Board is like a list.
type Board struct {
	mu  sync.Mutex
	obs []Observer
}

// Add is for new observers.
func (b *Board) Add(o Observer) { b.obs = append(b.obs, o) }

// Down tells them all.
func (b *Board) Down(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.obs {
		o.Down(name) // ok: nobody puts a platform into a board
	}
}
