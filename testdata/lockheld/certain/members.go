// Package certain has waits under a lock that end, next to ones that do not: what is certain of the one is untrue of the other.
package certain

import "sync"

// A Monitor is started under the lock that its stop holds: the worker is a member from Add on, and needs no lock from there.
type Monitor struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	quit chan struct{}
}

func (m *Monitor) join() {
	m.mu.Lock()
	m.wg.Add(1)
	m.mu.Unlock()
}

func (m *Monitor) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(m.quit)
	m.wg.Wait()
}

func (m *Monitor) loop() {
	defer m.wg.Done()
	<-m.quit
}

func spawn(f func()) bool {
	go f()
	return true
}

func (m *Monitor) Update() {
	m.join()
	if !spawn(m.loop) {
		m.wg.Done()
	}
}

// A Counter comes for the lock as a member.
type Counter struct {
	mu sync.Mutex
	wg sync.WaitGroup
	n  int
}

func (c *Counter) count() {
	c.wg.Add(1)
	defer c.wg.Done()
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

func (c *Counter) Start() { go c.count() }

func (c *Counter) Sum() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wg.Wait() // want blocking/possible "c.mu (locked at line 61) is held across c.wg.Wait, which deadlocks: (*Counter).count at members.go:53 needs the same lock to unblock it; unlock first" @61 "c.mu is locked here" @53 "(*Counter).count needs the same lock here" @52 "and ends the wait only here"
	return c.n
}

// A Table lets go of what it has lent before the lender is done: nobody is a member who still has to come in.
type Table struct {
	mu    sync.RWMutex
	lent  sync.WaitGroup
	close sync.Mutex
	m     map[string]func()
}

func (t *Table) Evict(k string) {
	t.mu.Lock()
	f := t.m[k]
	delete(t.m, k)
	t.lent.Add(1)
	t.mu.Unlock()
	f()
	t.lent.Done()
}

func (t *Table) Close() {
	t.close.Lock()
	defer t.close.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.m)
	t.lent.Wait()
}
