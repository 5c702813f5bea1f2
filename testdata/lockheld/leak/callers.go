package leak

import "sync"

// A sluice has functions that return with its lock: whether that is a leak is for their callers to say.
type sluice struct {
	mu  sync.RWMutex
	rv  int
	add func()
}

// waitAndBlock has the letters of lock in its name, and returns with one.
func (g *sluice) waitAndBlock(rv int) bool {
	g.mu.RLock()
	for g.rv < rv {
		g.rv++
	}
	return g.rv > rv // ok: who calls it releases the lock
}

// Get calls it in one of two places, and is the same function behind them.
func (g *sluice) Get(rv int) int {
	var more bool
	if g.rv < rv {
		g.add()
		more = g.waitAndBlock(rv)
	} else {
		more = g.waitAndBlock(rv)
	}
	defer g.mu.RUnlock()
	if more {
		return g.rv
	}
	return rv
}

type latch struct {
	mu sync.Mutex
	n  int
}

// enter is released by one caller and not by the other.
func (l *latch) enter() {
	l.mu.Lock()
	l.n++ // want leak/certain "l.mu (locked at line 44) is still held when (*latch).enter returns here, and its caller (*latch).hasty does not release it: the next Lock blocks forever; unlock in every caller" @44 "l.mu is locked here"
}

func (l *latch) careful() {
	l.enter()
	l.n--
	l.mu.Unlock()
}

func (l *latch) hasty() {
	l.enter()
	l.n--
}

// Both calls them.
func (l *latch) Both() {
	go l.hasty()
	l.careful()
}

type relay struct {
	mu sync.Mutex
	n  int
}

// enter is called by a function that hands the lock on to its own callers.
func (r *relay) enter() {
	r.mu.Lock() // ok: Use releases what open hands on
	r.n++
}

func (r *relay) open() {
	r.enter()
	r.n++
}

func (r *relay) Use() {
	r.open()
	defer r.mu.Unlock()
	r.n++
}

type pier struct {
	mu sync.Mutex
	n  int
}

// lockPier has a name that says so; its caller in sight does not release it all the same.
func (p *pier) lockPier() {
	p.mu.Lock()
	p.n++ // want leak/certain "p.mu (locked at line 94) is still held when (*pier).lockPier returns here, and nothing in the package releases it: the next Lock blocks forever; unlock before this return" @94 "p.mu is locked here"
}

func (p *pier) moor() {
	p.lockPier()
	p.n++
}

// Moor lets a goroutine end with the lock.
func (p *pier) Moor() { go p.moor() }

type quay struct {
	mu sync.Mutex
	n  int
}

// enter is started on a goroutine, where nobody can release what it takes, and called where it is released.
func (q *quay) enter() {
	q.mu.Lock()
	q.n++ // want leak/certain "q.mu (locked at line 113) is still held when (*quay).enter returns here, and its caller (*quay).Start does not release it: the next Lock blocks forever; unlock in every caller" @113 "q.mu is locked here"
}

func (q *quay) Start() {
	go q.enter()
	q.enter()
	q.mu.Unlock()
}

type dock struct {
	mu sync.Mutex
	n  int
}

// enter is called where nothing comes to.
func (d *dock) enter() {
	d.mu.Lock() // ok: nobody has the lock
	d.n++
}

func (d *dock) Load(full bool) {
	if full {
		return
	}
	if full {
		d.enter()
	}
}

type pond struct {
	mu sync.Mutex
	n  int
}

// lockPond hands the lock on to an exported function, whose callers are elsewhere.
func (p *pond) lockPond() {
	p.mu.Lock() // ok: its name says so, and nobody is seen to forget it
	p.n++
}

// Freeze is for others.
func (p *pond) Freeze() { p.lockPond() }
