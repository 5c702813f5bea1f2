package relock

import "sync"

type engine struct{ mu sync.Mutex }

// A car never gets another engine.
type car struct{ in *engine }

// A garage has a field of the same name, which changes.
type garage struct{ in *car }

func newCar() *car { return &car{in: &engine{}} }

func (g *garage) park(c *car) { g.in = c }

func (c *car) miles() int { return 1 }

func (c *car) start() {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	c.miles()
	c.in.mu.Lock() // want relock/certain "c.in.mu (locked at line 20) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @20 "c.in.mu is locked here"
	c.in.mu.Unlock()
}
