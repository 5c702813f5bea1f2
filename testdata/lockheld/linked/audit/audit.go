// Package audit looks at what is written, and asks for the sum with its own lock held.
package audit

import (
	"sync"

	"example.com/operators/lockheld/linked/ledger"
)

// Log has what was seen.
type Log struct {
	mu   sync.Mutex
	seen []int
	book *ledger.Ledger
}

// Watch has the log told of all entries.
func Watch(l *ledger.Ledger) *Log {
	log := &Log{book: l}
	l.Audit = log.note
	return log
}

func (g *Log) note(sum int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = append(g.seen, sum)
}

// Check compares.
func (g *Log) Check() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seen) > 0 && g.seen[len(g.seen)-1] == g.book.Sum() // want order/possible "lock order cycle: (*Log).Check locks ledger.Ledger.mu while holding audit.Log.mu (ledger.go:23); (*Ledger).Add locks audit.Log.mu while holding ledger.Ledger.mu (audit.go:25): concurrent calls deadlock; acquire them in one order" @32 "g.mu is locked here" @34 "calls (*Ledger).Sum" @ledger.go:23 "acquires ledger.Ledger.mu" @ledger.go:15 "l.mu is locked here" @ledger.go:18 "calls (*Log).note" @25 "acquires audit.Log.mu"
}

// Last compares what it has read before it takes its own lock.
func (g *Log) Last() bool {
	sum := g.book.Sum()
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seen) > 0 && g.seen[len(g.seen)-1] == sum // ok: one lock after the other
}
