// Package foreign is read by a driver that applies nolint comments itself.
package foreign

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

// Get takes the lock.
func (c *counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// Nolint is for the driver.
func (c *counter) Nolint() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Get() //nolint:lockheld // want relock/certain "c.mu (locked at line 20) is locked again (foreign.go:13, via (*counter).Get), which deadlocks; unlock first, or call a variant that does not lock"
}

// Ignore is for ctrllint.
func (c *counter) Ignore() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore ctrllint/lockheld tried out
	return c.Get()
}
