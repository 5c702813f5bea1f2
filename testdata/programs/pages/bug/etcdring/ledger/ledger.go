// Package ledger counts what was asked of the API server and not seen yet.
package ledger

import (
	"sync"
	"time"
)

// Interface is what controllers use of the ledger.
type Interface interface {
	RaiseExpectations(key string, creates, deletes int)
	CreationObserved(key string)
	DeletionObserved(key string)
	SatisfiedExpectations(key string) bool
	DeleteExpectations(key string)
}

type row struct {
	creates, deletes int
	stamp            time.Time
}

type memory struct {
	sync.Mutex
	rows map[string]row
	ttl  time.Duration
}

// New gives a ledger whose entries count for ttl.
func New(ttl time.Duration) Interface { return &memory{rows: map[string]row{}, ttl: ttl} }

func (m *memory) RaiseExpectations(key string, creates, deletes int) {
	m.Lock()
	defer m.Unlock()
	r := m.rows[key]
	m.rows[key] = row{creates: r.creates + creates, deletes: r.deletes + deletes, stamp: time.Now()}
}

func (m *memory) CreationObserved(key string) { m.lower(key, 1, 0) }
func (m *memory) DeletionObserved(key string) { m.lower(key, 0, 1) }

func (m *memory) lower(key string, c, d int) {
	m.Lock()
	defer m.Unlock()
	if r, ok := m.rows[key]; ok {
		r.creates, r.deletes = r.creates-c, r.deletes-d
		m.rows[key] = r
	}
}

func (m *memory) SatisfiedExpectations(key string) bool {
	m.Lock()
	defer m.Unlock()
	r, ok := m.rows[key]
	return !ok || (r.creates <= 0 && r.deletes <= 0) || time.Since(r.stamp) > m.ttl
}

func (m *memory) DeleteExpectations(key string) {
	m.Lock()
	defer m.Unlock()
	delete(m.rows, key)
}
