// Package seen keeps what a fleet has asked for until the cache shows it.
package seen

import (
	"sync"
	"time"
)

type debt struct {
	names map[string]struct{}
	since time.Time
}

// Book has one page for each fleet.
type Book struct {
	mu    sync.Mutex
	limit time.Duration
	debts map[string]*debt
}

func NewBook(limit time.Duration) *Book {
	return &Book{limit: limit, debts: map[string]*debt{}}
}

// Limit is how long to wait at most.
func (b *Book) Limit() time.Duration { return b.limit }

func (b *Book) Expect(fleet, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, ok := b.debts[fleet]
	if !ok {
		d = &debt{names: map[string]struct{}{}, since: time.Now()}
		b.debts[fleet] = d
	}
	d.names[name] = struct{}{}
}

func (b *Book) Observe(fleet, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d, ok := b.debts[fleet]; ok {
		delete(d.names, name)
		if len(d.names) == 0 {
			delete(b.debts, fleet)
		}
	}
}

// Satisfied says whether all is seen, and for how long that has not been so.
func (b *Book) Satisfied(fleet string) (bool, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, ok := b.debts[fleet]
	if !ok {
		return true, 0
	}
	return false, time.Since(d.since)
}

// WriteOff forgets what the fleet has expected, and says how much that was.
func (b *Book) WriteOff(fleet string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	if d, ok := b.debts[fleet]; ok {
		n = len(d.names)
		delete(b.debts, fleet)
	}
	return n
}
