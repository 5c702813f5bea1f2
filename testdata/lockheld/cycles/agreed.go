package cycles

import (
	"sync"
	"time"
)

type gated struct {
	gate, a, b sync.Mutex
}

// left and right contradict each other, but only one of them runs at a time.
func (g *gated) left() {
	g.gate.Lock()
	defer g.gate.Unlock()
	g.a.Lock()
	g.b.Lock() // ok: the gate is held on both sides
	g.b.Unlock()
	g.a.Unlock()
}

func (g *gated) right() {
	g.gate.Lock()
	defer g.gate.Unlock()
	g.b.Lock()
	g.a.Lock() // ok: the gate is held on both sides
	g.a.Unlock()
	g.b.Unlock()
}

type (
	readA struct{ mu sync.RWMutex }
	readB struct{ mu sync.RWMutex }
)

func readAB(a *readA, b *readB) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	b.mu.RLock() // ok: nobody locks either for writing
	defer b.mu.RUnlock()
}

func readBA(a *readA, b *readB) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a.mu.RLock() // ok: nobody locks either for writing
	defer a.mu.RUnlock()
}

type owner struct {
	mu   sync.Mutex
	kids map[string]*owner
}

// lookup goes from a parent to its child: two objects of one type are no cycle.
func (o *owner) lookup(path []string) *owner { // want lookup:"locks p0.mu; locks some example.com/operators/lockheld/cycles.owner.mu"
	o.mu.Lock()
	for _, p := range path {
		k := o.kids[p]
		if k == nil {
			break
		}
		k.mu.Lock() // ok: the child
		o.mu.Unlock()
		o = k
	}
	o.mu.Unlock()
	return o
}

type account struct {
	id, sum int
	mu      sync.Mutex
}

// move orders two objects of one type by a number.
func move(from, to *account, n int) {
	first, second := from, to
	if from.id > to.id {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock() // ok: the lower number first
	defer second.mu.Unlock()
	from.sum -= n
	to.sum += n
}

type page struct{ mu sync.Mutex }

type lru struct {
	mu    sync.Mutex
	pages []*page
}

func (l *lru) touch(p *page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.mu.Lock() // ok: the only order that waits
	l.pages = append(l.pages, p)
	l.mu.Unlock()
}

// evict goes the other way, but only tries.
func (l *lru) evict() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pages {
		if !p.mu.TryLock() { // ok: TryLock does not wait
			continue
		}
		n++
		p.mu.Unlock()
	}
	return n
}

type leader struct {
	mu       sync.Mutex
	n        int
	follower *follower
}

type follower struct {
	mu     sync.Mutex
	n      int
	leader *leader
}

func (f *follower) poke() {
	f.mu.Lock()
	f.n++
	f.mu.Unlock()
}

// start starts what takes the other lock: a goroutine and a timer begin with nothing held.
func (l *leader) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	go l.follower.poke()                              // ok: a goroutine
	time.AfterFunc(time.Second, l.follower.poke)      // ok: a timer
	go func() { l.follower.poke(); l.follower.n-- }() // ok: a goroutine
}

func (f *follower) report() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leader.mu.Lock() // ok: the only order
	f.leader.n += f.n
	f.leader.mu.Unlock()
}

// one and two have locks of their own with the same names.
func one(n *int) {
	var mu, errs sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	errs.Lock() // ok: local
	*n++
	errs.Unlock()
}

func two(n *int) {
	var mu, errs sync.Mutex
	errs.Lock()
	defer errs.Unlock()
	mu.Lock() // ok: local
	*n--
	mu.Unlock()
}

type buffer struct {
	mu    sync.Mutex
	rows  []string
	spool *spool
}

type spool struct {
	mu     sync.Mutex
	rows   []string
	buffer *buffer
}

// flushLocked gives its caller's lock back first, and takes it again when the other one is free.
func (b *buffer) flushLocked() {
	rows := b.rows
	b.mu.Unlock()
	b.spool.mu.Lock() // ok: the caller's lock is free
	b.spool.rows = append(b.spool.rows, rows...)
	b.spool.mu.Unlock()
	b.mu.Lock()
	b.rows = nil
}

func (b *buffer) put(row string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, row)
	b.flushLocked()
}

func (s *spool) load() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffer.mu.Lock() // ok: the only order
	s.buffer.rows = append(s.buffer.rows, s.rows...)
	s.buffer.mu.Unlock()
}

type bus struct {
	mu   sync.Mutex
	subs []func()
}

type screen struct {
	mu  sync.Mutex
	bus *bus
	n   int
}

func (s *screen) redraw() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func (b *bus) subscribe(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, f) // ok: kept, not called
}

// fire defers the calls before the unlock, so that they run after it.
func (b *bus) fire() {
	var subs []func()
	defer func() {
		for _, f := range subs {
			f() // ok: unlocked
		}
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	subs = append(subs, b.subs...)
}

func (s *screen) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bus.subscribe(s.redraw) // ok: the only order
}

type capacity struct {
	mu   sync.Mutex
	free int
}

type usage struct {
	mu   sync.Mutex
	used int
}

// claim locks the capacity if it is asked to, and gives it back under the same condition.
func claim(c *capacity, u *usage, lock bool) { // want claim:"locks p1.mu; locks p0.mu if p2 == true"
	if lock {
		c.mu.Lock()
	}
	c.free--
	if lock {
		c.mu.Unlock()
	}
	u.mu.Lock() // ok: the capacity is free
	u.used++
	u.mu.Unlock()
}

func giveBack(c *capacity, u *usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.used--
	c.mu.Lock() // ok: the only order
	c.free++
	c.mu.Unlock()
}

type shared struct {
	gate sync.RWMutex
	a, b sync.Mutex
}

// read and rebuild have a gate that is held for reading on one side and for writing on the other.
func (s *shared) read() {
	s.gate.RLock()
	defer s.gate.RUnlock()
	s.a.Lock()
	s.b.Lock() // ok: the gate keeps rebuild out
	s.b.Unlock()
	s.a.Unlock()
}

func (s *shared) rebuild() {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.b.Lock()
	s.a.Lock() // ok: the gate keeps read out
	s.a.Unlock()
	s.b.Unlock()
}
