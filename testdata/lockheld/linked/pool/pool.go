// Package pool runs tasks, and waits for them.
package pool

import "sync"

// A Pool runs the task that others give it.
type Pool struct {
	Task func()
	wg   sync.WaitGroup
}

// Start begins it.
func (p *Pool) Start() {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		p.Task()
	}()
}

// Wait waits for what Start began.
func (p *Pool) Wait() { p.wg.Wait() }

// A Pump hands what it gets to a sink.
type Pump struct {
	in   chan int
	sink Sink
}

// A Sink takes what a Pump has.
type Sink interface{ Take(int) }

// NewPump makes one that runs.
func NewPump(s Sink) *Pump {
	p := &Pump{in: make(chan int), sink: s}
	go func() {
		for v := range p.in {
			p.sink.Take(v)
		}
	}()
	return p
}

// Put waits until the pump takes v.
func (p *Pump) Put(v int) { p.in <- v }
