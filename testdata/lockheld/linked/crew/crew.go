// Package crew works for a tower.
package crew

import (
	"example.com/operators/lockheld/linked/pool"
	"example.com/operators/lockheld/linked/tower"
)

// Join gives the pool its task.
func Join(p *pool.Pool, t *tower.Tower) {
	p.Task = func() { t.Report() }
}

// A Sink reports what it takes.
type Sink struct{ t *tower.Tower }

// Take is for the pump.
func (s *Sink) Take(int) { s.t.Report() }

// NewSink is one for the tower.
func NewSink(t *tower.Tower) *Sink { return &Sink{t} }
