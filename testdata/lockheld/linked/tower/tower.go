// Package tower waits for a pool with its lock held.
package tower

import (
	"sync"

	"example.com/operators/lockheld/linked/pool"
)

// A Tower counts what its crew reports.
type Tower struct {
	mu   sync.Mutex
	pool *pool.Pool
	pump *pool.Pump
	seen int
}

// New has a pool, and a pump that is made later.
func New(p *pool.Pool) *Tower { return &Tower{pool: p} }

// Use gives it the pump.
func (t *Tower) Use(p *pool.Pump) { t.pump = p }

// Report is for the crew.
func (t *Tower) Report() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen++
}

// Close waits for the crew, which wants to report.
func (t *Tower) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pool.Wait() // want blocking/possible "t.mu (locked at line 33) is held across p.wg.Wait (pool.go:22, via (*Pool).Wait), which deadlocks: (*Pool).Start at pool.go:17 via Join needs the same lock to unblock it; unlock first" @33 "t.mu is locked here" @35 "calls (*Pool).Wait" @pool.go:22 "blocks here" @pool.go:17 "(*Pool).Start calls Join here" @26 "Join needs the same lock here" @pool.go:16 "and ends the wait only here"
}

// CloseLater waits without the lock.
func (t *Tower) CloseLater() {
	t.mu.Lock()
	t.seen = 0
	t.mu.Unlock()
	t.pool.Wait()
}

// Push has the pump's goroutine come for the lock after one value, and wait with the next.
func (t *Tower) Push(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pump.Put(v) // want blocking/possible "t.mu (locked at line 48) is held across the send to p.in (pool.go:45, via (*Pump).Put), which deadlocks: NewPump at pool.go:38 via (*Sink).Take needs the same lock to unblock it; unlock first" @48 "t.mu is locked here" @50 "calls (*Pump).Put" @pool.go:45 "blocks here" @pool.go:38 "NewPump calls (*Sink).Take here" @26 "(*Sink).Take needs the same lock here" @pool.go:37 "and ends the wait only here"
}
