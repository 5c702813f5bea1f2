package again

import (
	"slices"
	"sync"
)

type item struct {
	pool *pool
	id   int
}

type pool struct {
	mu    sync.Mutex
	items []*item
}

func newItem(p *pool, id int) *item { return &item{pool: p, id: id} }

func (i *item) remove() {
	i.pool.mu.Lock()
	defer i.pool.mu.Unlock()
	i.pool.items = slices.DeleteFunc(i.pool.items, func(x *item) bool { return x == i })
}

// Clear comes back to itself by the pointer of the item that it has made.
func (p *pool) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	it := newItem(p, len(p.items))
	p.items = append(p.items, it)
	it.remove() // want relock/certain "p.mu (locked at line 28) is locked again (paths.go:21, via (*item).remove), which deadlocks; unlock first, or call a variant that does not lock" @28 "p.mu is locked here" @32 "calls (*item).remove" @21 "second acquisition"
}

// MoveTo makes the item for another pool.
func (p *pool) MoveTo(other *pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	it := newItem(other, len(p.items))
	it.remove() // ok: the other pool
}

type barrier struct {
	mu    sync.Mutex
	cond  *sync.Cond
	ready bool
}

func newBarrier() *barrier {
	b := &barrier{}
	b.cond = sync.NewCond(&b.mu)
	return b
}

// Open takes the lock by its two names.
func (b *barrier) Open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cond.L.Lock() // want relock/certain "b.mu (locked at line 57) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @57 "b.mu is locked here"
	b.ready = true
	b.cond.L.Unlock()
}

// Close uses one name to lock and the other to unlock.
func (b *barrier) Close() {
	b.cond.L.Lock()
	b.ready = false
	b.mu.Unlock()
	b.mu.Lock() // ok: unlocked
	b.cond.L.Unlock()
}

type archive struct {
	mu    sync.Mutex
	files int
}

func (a *archive) report() {
	a.mu.Lock()
	println(a.files)
	a.mu.Unlock()
}

// Add defers the report after the unlock, so that it runs before it.
func (a *archive) Add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.report() // want relock/certain "a.mu (locked at line 86) is locked again (paths.go:79, via (*archive).report), which deadlocks; unlock first, or call a variant that does not lock" @86 "a.mu is locked here" @88 "calls (*archive).report" @79 "second acquisition"
	a.files += n
}

// AddReported defers it first, so that it runs last.
func (a *archive) AddReported(n int) {
	defer a.report() // ok: runs after the unlock
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files += n
}

type gauge struct {
	sync.RWMutex
	v int
}

func (g *gauge) Value() int {
	g.RLock()
	defer g.RUnlock()
	return g.v
}

type panel struct {
	gauge
	mu    sync.Mutex
	title string
}

// Set holds the lock of what it embeds and calls its getter.
func (p *panel) Set(v int) bool {
	p.Lock()
	defer p.Unlock()
	if p.Value() == v { // want relock/certain "p.gauge.RWMutex (locked at line 119) is read-locked again (paths.go:106, via (*gauge).Value), which deadlocks; unlock first, or call a variant that does not lock" @119 "p.gauge.RWMutex is locked here" @121 "calls (*gauge).Value" @106 "second acquisition"
		return false
	}
	p.v = v
	return true
}

// Title takes two locks: the embedded one and a field.
func (p *panel) Title() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Lock() // ok: another lock
	defer p.Unlock()
	return p.title
}

type flusher interface{ flush() error }

type spool struct {
	mu    sync.Mutex
	dirty int
}

func (s *spool) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirty = 0
	return nil
}

func flushAll(f flusher) error { return f.flush() }

// Write hands itself to a function that takes an interface.
func (s *spool) Write(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirty += n
	return flushAll(s) // want relock/certain "s.mu (locked at line 155) is locked again (paths.go:145, via flushAll, (*spool).flush), which deadlocks; unlock first, or call a variant that does not lock" @155 "s.mu is locked here" @158 "calls flushAll" @151 "calls (*spool).flush" @145 "second acquisition"
}

type roster struct {
	mu    sync.RWMutex
	names []string
}

func (r *roster) size() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.names)
}

func (r *roster) full() bool { return r.size() > 10 }

// Add is the writer that makes nested readers wait.
func (r *roster) Add(name string) {
	r.mu.Lock()
	r.names = append(r.names, name)
	r.mu.Unlock()
}

// Room reads under the lock that it has for reading.
func (r *roster) Room() (int, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.names), !r.full() // want relock/possible "r.mu (read-locked at line 183) is read-locked again (paths.go:167, via (*roster).full, (*roster).size), which deadlocks if a writer ((*roster).Add at paths.go:176) waits in between; unlock first, or call a variant that does not lock" @183 "r.mu is read-locked here" @185 "calls (*roster).full" @172 "calls (*roster).size" @167 "second acquisition" @176 "a writer waits here and blocks new readers"
}

type purse struct {
	mu sync.Mutex
	id int
	n  int
}

func transfer(from, to *purse, n int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock() // ok: from and to are two
	defer to.mu.Unlock()
	from.n -= n
	to.n += n
}

// Rebook is the only one who calls transfer, with one purse for both.
func Rebook(p *purse, n int) {
	transfer(p, p, n) // missed: two parameters that are one object at the call
}

type quoted struct {
	mu sync.Mutex
	n  int
}

func (q *quoted) tryInc() bool {
	if !q.mu.TryLock() { // ok: TryLock does not wait
		return false
	}
	defer q.mu.Unlock()
	q.n++
	return true
}

// Poke calls it with the lock held.
func (q *quoted) Poke() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.tryInc()
}

// runLocked gives its caller's lock back around each function.
func (q *quoted) runLocked(fs []func()) {
	for _, f := range fs {
		q.mu.Unlock()
		f()
		q.mu.Lock() // ok: unlocked before
	}
}

// Run calls it.
func (q *quoted) Run(fs []func()) {
	q.mu.Lock()
	q.runLocked(fs)
	q.mu.Unlock()
}

// Copy makes an object of its own, which has a lock of its own.
func (q *quoted) Copy() *quoted {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := &quoted{n: q.n}
	c.tryInc()
	c.mu.Lock() // ok: the copy
	c.n++
	c.mu.Unlock()
	return c
}

type swapped struct{ mu *sync.Mutex }

// Split puts another lock in the place of the one it holds.
func (s *swapped) Split() {
	old := s.mu
	old.Lock()
	s.mu = new(sync.Mutex)
	s.mu.Lock() // ok: the new one
	s.mu.Unlock()
	old.Unlock()
}
