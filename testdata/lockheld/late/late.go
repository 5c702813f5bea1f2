// Package late has receivers that are started under the lock that their senders hold.
package late

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/util/wait"
)

type listener struct {
	ch  chan int
	got func(int)
}

func newListener(got func(int)) *listener { return &listener{ch: make(chan int), got: got} }

func (l *listener) run() {
	for v := range l.ch {
		l.got(v)
	}
}

func (l *listener) add(v int) { l.ch <- v }

// Processor starts its listeners in a goroutine of its own.
type Processor struct {
	mu        sync.Mutex
	started   bool
	listeners []*listener
	wg        wait.Group
}

func (p *Processor) Add(got func(int)) {
	l := newListener(got)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = append(p.listeners, l)
	if p.started {
		p.wg.Start(l.run)
	}
}

func (p *Processor) run(ctx context.Context) {
	func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, l := range p.listeners {
			p.wg.Start(l.run)
		}
		p.started = true
	}()
	<-ctx.Done()
}

// Run has nothing that lets run come before the first event.
func (p *Processor) Run(ctx context.Context, events <-chan int) {
	go p.run(ctx)
	for v := range events {
		p.distribute(v)
	}
}

func (p *Processor) distribute(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.listeners {
		l.add(v) // want blocking/possible "p.mu (locked at line 65) is held across the send to l.ch (late.go:24, via (*listener).add), which deadlocks if its receiver is not running yet: (*Processor).run at late.go:49 needs the same lock to start it; unlock first" @65 "p.mu is locked here" @68 "calls (*listener).add" @24 "blocks here" @49 "the receiver is started here, with the same lock held"
	}
}

// A Told looks whether its listeners run.
type Told struct {
	mu      sync.Mutex
	started bool
	ch      chan int
}

func NewTold() *Told { return &Told{ch: make(chan int)} }

func (p *Told) run(ctx context.Context) {
	p.mu.Lock()
	go p.receive()
	p.started = true
	p.mu.Unlock()
	<-ctx.Done()
}

func (p *Told) receive() {
	for range p.ch {
	}
}

func (p *Told) Run(ctx context.Context, events <-chan int) {
	go p.run(ctx)
	for v := range events {
		p.send(v)
	}
}

func (p *Told) send(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return
	}
	p.ch <- v
}

// An Ordered starts its receiver before anybody can send.
type Ordered struct {
	mu sync.Mutex
	ch chan int
}

func NewOrdered() *Ordered { return &Ordered{ch: make(chan int)} }

func (p *Ordered) receive() {
	for range p.ch {
	}
}

func (p *Ordered) Run(events <-chan int) {
	go func() {
		p.mu.Lock()
		go p.receive()
		p.mu.Unlock()
		for v := range events {
			p.send(v)
		}
	}()
}

func (p *Ordered) send(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ch <- v
}

// A Called is started by whoever calls Start: that they do so first is for them to see to.
type Called struct {
	mu sync.Mutex
	ch chan int
}

func NewCalled() *Called { return &Called{ch: make(chan int)} }

func (p *Called) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	go func() {
		for range p.ch {
		}
	}()
}

func (p *Called) Send(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ch <- v
}

// A Fresh has no channel before it has its receiver.
type Fresh struct {
	mu  sync.Mutex
	all []chan int
}

func (p *Fresh) Run() { go p.grow() }

func (p *Fresh) grow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch := make(chan int)
	p.all = append(p.all, ch)
	go func() {
		for range ch {
		}
	}()
}

func (p *Fresh) Send(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ch := range p.all {
		ch <- v
	}
}
