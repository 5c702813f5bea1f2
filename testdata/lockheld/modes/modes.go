// Package modes has locks that are taken in one mode of an object alone, and locks that are given back and taken again.
package modes

import "sync"

const old = 3

type part struct{ wake chan struct{} }

type conn struct {
	hs, in  sync.Mutex
	version int
	part    *part
	closed  bool
	n       int
}

// again is called with hs by those whose version is never the old one, and without it by all others.
func (c *conn) again() {
	if c.version == old {
		c.renew()
	}
	c.n++
}

func (c *conn) renew() {
	c.hs.Lock()
	defer c.hs.Unlock()
	c.n = 0
}

func (c *conn) withLock() {
	c.hs.Lock()
	defer c.hs.Unlock()
	c.again() // ok: the version tells this caller from the other one
}

func (c *conn) withoutLock() {
	c.again()
}

// always is called with hs and without it, too, but no mode decides.
func (c *conn) always() {
	if c.n > 0 {
		c.renew()
	}
}

func (c *conn) alwaysWithLock() {
	c.hs.Lock()
	defer c.hs.Unlock()
	c.always() // want relock/possible "c.hs (locked at line 50) is locked again (modes.go:27, via (*conn).always, (*conn).renew), which deadlocks; unlock first, or call a variant that does not lock" @50 "c.hs is locked here" @52 "calls (*conn).always" @45 "calls (*conn).renew" @27 "second acquisition"
}

func (c *conn) alwaysWithoutLock() { c.always() }

// only is called with hs by everybody: its mode tells nobody from anybody.
func (c *conn) only() {
	if c.version == old {
		c.renew()
	}
}

func (c *conn) onlyWithLock() {
	c.hs.Lock()
	defer c.hs.Unlock()
	c.only() // want relock/possible "c.hs (locked at line 65) is locked again (modes.go:27, via (*conn).only, (*conn).renew), which deadlocks; unlock first, or call a variant that does not lock" @65 "c.hs is locked here" @67 "calls (*conn).only" @60 "calls (*conn).renew" @27 "second acquisition"
}

type link struct {
	hs, in sync.Mutex
	part   *part
	n      int
}

// pause wants hs held, and is called without it by read, which has a part and so never comes here.
func (l *link) pause() {
	l.hs.Unlock()
	defer l.hs.Lock()
	<-l.part.wake
}

func (l *link) fill() {
	if l.part != nil {
		l.pause()
	}
	l.n++
}

func (l *link) shake() {
	l.hs.Lock()
	defer l.hs.Unlock()
	l.in.Lock() // ok: in is held only by those who have hs, or have no part
	defer l.in.Unlock()
	l.fill()
}

func (l *link) read() {
	l.in.Lock()
	defer l.in.Unlock()
	l.fill()
}

type set struct {
	all, one sync.Mutex
	n        int
}

// settle wants all held, gives it back and takes it again.
func (s *set) settle() {
	s.all.Unlock()
	s.n++
	s.all.Lock()
}

func (s *set) remove() {
	s.all.Lock()
	defer s.all.Unlock()
	s.one.Lock() // want order/possible "lock order cycle: (*set).remove locks modes.set.one while holding modes.set.all (modes.go:119); (*set).remove locks modes.set.all while holding modes.set.one (modes.go:113): concurrent calls deadlock; acquire them in one order" @117 "s.all is locked here" @119 "modes.set.one is acquired here" @119 "s.one is locked here" @121 "calls (*set).settle" @113 "acquires modes.set.all"
	defer s.one.Unlock()
	s.settle()
}

type reader struct {
	conn, mu sync.Mutex
	busy     bool
}

func (r *reader) hijack() {
	r.conn.Lock()
	defer r.conn.Unlock()
	r.mu.Lock() // ok: who comes for the two the other way round panics
	defer r.mu.Unlock()
	r.busy = false
}

func (r *reader) read() {
	r.mu.Lock()
	if r.busy {
		r.conn.Lock()
		r.busy = false
		r.conn.Unlock()
		r.mu.Unlock()
		panic("reads at once")
	}
	r.mu.Unlock()
}

type worker struct {
	a, b sync.Mutex
	n    int
}

func (w *worker) one() {
	w.a.Lock()
	defer w.a.Unlock()
	w.b.Lock() // want order/possible "lock order cycle: (*worker).one locks modes.worker.b while holding modes.worker.a (modes.go:157); (*worker).run locks modes.worker.a while holding modes.worker.b (modes.go:166): concurrent calls deadlock; acquire them in one order" @155 "w.a is locked here" @157 "modes.worker.b is acquired here" @165 "w.b is locked here" @166 "modes.worker.a is acquired here"
	defer w.b.Unlock()
	w.n++
}

// run has no end but a panic, and goes on in the meantime.
func (w *worker) run() {
	for {
		w.b.Lock()
		w.a.Lock()
		if w.n < 0 {
			panic("negative")
		}
		w.a.Unlock()
		w.b.Unlock()
	}
}
