// Package ledger calls what others have put into it, with its lock held.
package ledger

import "sync"

// Ledger has entries.
type Ledger struct {
	mu    sync.Mutex
	sum   int
	Audit func(sum int)
}

// Add holds the lock while somebody looks.
func (l *Ledger) Add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum += n
	l.Audit(l.sum)
}

// Sum reads.
func (l *Ledger) Sum() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sum
}
