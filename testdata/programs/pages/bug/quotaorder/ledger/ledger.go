// Package ledger counts what tenants have used.
package ledger

import (
	"fmt"
	"sync"
	"time"
)

// Entry is what one tenant has used.
type Entry struct {
	Used   int64
	Limit  int64
	Frozen bool
	Since  time.Time
}

// Ledger has an entry for each tenant.
type Ledger struct {
	mu       sync.Mutex
	entries  map[string]*Entry
	exceeded func(tenant string, over int64)
}

// New makes a ledger that calls exceeded when a tenant is over its limit.
func New(exceeded func(tenant string, over int64)) *Ledger {
	return &Ledger{entries: map[string]*Entry{}, exceeded: exceeded}
}

// SetLimit opens the entry if there is none.
func (l *Ledger) SetLimit(tenant string, limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[tenant]
	if !ok {
		e = &Entry{Since: time.Now()}
		l.entries[tenant] = e
	}
	e.Limit = limit
}

// Charge adds to what the tenant has used.
func (l *Ledger) Charge(tenant string, amount int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[tenant]
	if !ok {
		return fmt.Errorf("tenant %q has no entry", tenant)
	}
	if e.Frozen {
		return fmt.Errorf("tenant %q is frozen", tenant)
	}
	e.Used += amount
	if over := e.Used - e.Limit; over > 0 {
		l.exceeded(tenant, over)
	}
	return nil
}

// Freeze lets nobody charge the tenant any more and gives what it has used.
func (l *Ledger) Freeze(tenant string) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[tenant]
	if !ok {
		return Entry{}, false
	}
	e.Frozen = true
	return *e, true
}
