package certain

import "sync"

// A pacer is given the lock of its owner: to wait is to let it go.
type pacer struct {
	full bool
	cond sync.Cond
}

func newPacer(mu *sync.Mutex) *pacer {
	p := &pacer{}
	p.cond.L = mu
	return p
}

func (p *pacer) fill() {
	for p.full {
		p.cond.Wait()
	}
	p.cond.Signal()
}

func (p *pacer) drain() {
	p.full = false
	p.cond.Signal()
}

type Database struct {
	mu sync.Mutex
	p  *pacer
}

func NewDatabase() *Database {
	d := &Database{}
	d.p = newPacer(&d.mu)
	return d
}

func (d *Database) Fill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.p.fill()
}

func (d *Database) Drain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.p.drain()
}

// A gate lets its own lock go, and not that of the Keep around it.
type gate struct {
	mu   sync.Mutex
	open bool
	cond *sync.Cond
}

func newGate() *gate {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

func (g *gate) pass() {
	g.mu.Lock()
	for !g.open {
		g.cond.Wait()
	}
	g.mu.Unlock()
}

func (g *gate) lift() {
	g.mu.Lock()
	g.open = true
	g.mu.Unlock()
	g.cond.Broadcast()
}

type Keep struct {
	mu sync.Mutex
	g  *gate
}

func NewKeep() *Keep { return &Keep{g: newGate()} }

func (k *Keep) Enter() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.g.pass() // want blocking/possible "k.mu (locked at line 88) is held across g.cond.Wait (conds.go:68, via (*gate).pass), which deadlocks: (*Keep).Lift at conds.go:94 needs the same lock to unblock it; unlock first" @88 "k.mu is locked here" @90 "calls (*gate).pass" @68 "blocks here" @94 "(*Keep).Lift needs the same lock here" @77 "and ends the wait only here"
}

func (k *Keep) Lift() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.g.lift()
}
