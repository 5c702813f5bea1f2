// Package cycles takes locks in orders that contradict each other, and in orders that only seem to.
package cycles

import (
	"sort"
	"sync"
)

type queue struct {
	mu    sync.Mutex
	store *store
	n     int
}

type store struct {
	mu    sync.Mutex
	queue *queue
	n     int
}

// add takes both locks in place, and so does evict the other way round.
func (q *queue) add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.store.mu.Lock() // want order/possible "lock order cycle: (*queue).add locks cycles.store.mu while holding cycles.queue.mu (direct.go:25); (*store).evict locks cycles.queue.mu while holding cycles.store.mu (direct.go:33): concurrent calls deadlock; acquire them in one order" @23 "q.mu is locked here" @25 "cycles.store.mu is acquired here" @31 "s.mu is locked here" @33 "cycles.queue.mu is acquired here"
	q.store.n = n
	q.store.mu.Unlock()
}

func (s *store) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.mu.Lock()
	s.queue.n--
	s.queue.mu.Unlock()
}

type indexer struct {
	mu     sync.RWMutex
	by     map[string]int
	events *events
}

type events struct {
	mu    sync.Mutex
	lines []string
	index *indexer
}

// remove reaches the second lock three calls further on, and trim two.
func (x *indexer) remove(k string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.drop(k)
}

func (x *indexer) drop(k string) {
	delete(x.by, k)
	x.note(k)
}

func (x *indexer) note(k string) { x.events.add("dropped " + k) }

func (x *indexer) size() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.by)
}

func (e *events) add(line string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lines = append(e.lines, line)
}

func (e *events) needed() bool { return e.index.size() > 0 }

func (e *events) trim() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.needed() { // want order/possible "lock order cycle: (*events).trim read-locks cycles.indexer.mu while holding cycles.events.mu (direct.go:65); (*indexer).remove locks cycles.events.mu while holding cycles.indexer.mu (direct.go:71): concurrent calls deadlock; acquire them in one order" @79 "e.mu is locked here" @81 "calls (*events).needed" @76 "calls (*indexer).size" @65 "acquires cycles.indexer.mu" @52 "x.mu is locked here" @54 "calls (*indexer).drop" @59 "calls (*indexer).note" @62 "calls (*events).add" @71 "acquires cycles.events.mu"
		e.lines = e.lines[:0]
	}
}

// Three locks, no two of which are taken both ways.
type (
	pods  struct{ mu sync.Mutex }
	nodes struct{ mu sync.Mutex }
	zones struct{ mu sync.Mutex }
)

func podThenNode(p *pods, n *nodes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
}

func nodeThenZone(n *nodes, z *zones) {
	n.mu.Lock()
	defer n.mu.Unlock()
	z.mu.Lock() // want order/possible "lock order cycle: cycles.nodes.mu then cycles.zones.mu (direct.go:103), cycles.zones.mu then cycles.pods.mu (direct.go:110), cycles.pods.mu then cycles.nodes.mu (direct.go:96): concurrent calls deadlock; acquire them in one order" @101 "n.mu is locked here" @103 "cycles.zones.mu is acquired here" @108 "z.mu is locked here" @110 "cycles.pods.mu is acquired here" @94 "p.mu is locked here" @96 "cycles.nodes.mu is acquired here"
	defer z.mu.Unlock()
}

func zoneThenPod(z *zones, p *pods) {
	z.mu.Lock()
	defer z.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
}

type keyIndex struct {
	mu sync.RWMutex
	by map[string]int
}

type blobs struct {
	mu sync.RWMutex
	b  []byte
}

// read only reads on both sides, but compact writes: a writer that waits keeps readers out.
func read(x *keyIndex, b *blobs, k string) byte {
	x.mu.RLock()
	defer x.mu.RUnlock()
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.b[x.by[k]]
}

func compact(x *keyIndex, b *blobs) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b = b.b[:0]
	x.mu.Lock() // want order/possible "lock order cycle: compact locks cycles.keyIndex.mu while holding cycles.blobs.mu (direct.go:137); read read-locks cycles.blobs.mu while holding cycles.keyIndex.mu (direct.go:128): concurrent calls deadlock; acquire them in one order" @134 "b.mu is locked here" @137 "cycles.keyIndex.mu is acquired here" @126 "x.mu is read-locked here" @128 "cycles.blobs.mu is acquired here"
	clear(x.by)
	x.mu.Unlock()
}

// drivers is a package variable with a lock of its own.
var drivers struct {
	sync.Mutex
	by map[string]*conn
}

type conn struct {
	name  string
	state struct {
		sync.Mutex
		open bool
	}
}

func register(c *conn) {
	drivers.Lock()
	defer drivers.Unlock()
	c.state.Lock()
	defer c.state.Unlock()
	drivers.by[c.name] = c
}

func (c *conn) close() {
	c.state.Lock()
	defer c.state.Unlock()
	c.state.open = false
	drivers.Lock() // want order/possible "lock order cycle: (*conn).close locks cycles.drivers.Mutex while holding cycles.conn.state.Mutex (direct.go:168); register locks cycles.conn.state.Mutex while holding cycles.drivers.Mutex (direct.go:159): concurrent calls deadlock; acquire them in one order" @165 "c.state.Mutex is locked here" @168 "cycles.drivers.Mutex is acquired here" @157 "drivers.Mutex is locked here" @159 "cycles.conn.state.Mutex is acquired here"
	delete(drivers.by, c.name)
	drivers.Unlock()
}

type memory struct {
	mu   sync.Mutex
	rows []string
	disk *disk
}

type disk struct {
	mu   sync.Mutex
	rows []string
}

// flushLocked lets its caller's lock go, and makes the cycle where it takes it again.
func (m *memory) flushLocked() { // want flushLocked:"locks p0.disk.mu without p0.mu; locks p0.mu without p0.mu"
	rows := m.rows
	m.mu.Unlock()
	m.disk.mu.Lock()
	m.disk.rows = append(m.disk.rows, rows...)
	m.mu.Lock() // want order/possible "lock order cycle: (*memory).flushLocked locks cycles.memory.mu while holding cycles.disk.mu (direct.go:190); (*memory).stat locks cycles.disk.mu while holding cycles.memory.mu (direct.go:205): concurrent calls deadlock; acquire them in one order" @188 "m.disk.mu is locked here" @190 "cycles.memory.mu is acquired here" @203 "m.mu is locked here" @205 "cycles.disk.mu is acquired here"
	m.rows = nil
	m.disk.mu.Unlock()
}

func (m *memory) put(row string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows = append(m.rows, row)
	m.flushLocked()
}

func (m *memory) stat() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.disk.mu.Lock()
	defer m.disk.mu.Unlock()
	return len(m.rows) + len(m.disk.rows)
}

type table struct {
	mu      sync.Mutex
	keys    []string
	weights *weights
}

type weights struct {
	mu    sync.Mutex
	by    map[string]int
	table *table
}

func (w *weights) of(k string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.by[k]
}

// sort locks inside the comparison; set in the function that it defers last, which runs before the unlock.
func (t *table) sort() {
	t.mu.Lock()
	defer t.mu.Unlock()
	sort.Slice(t.keys, func(i, j int) bool { return t.weights.of(t.keys[i]) < t.weights.of(t.keys[j]) }) // want order/possible "lock order cycle: (*table).sort locks cycles.weights.mu while holding cycles.table.mu (direct.go:223); (*weights).set locks cycles.table.mu while holding cycles.weights.mu (direct.go:239): concurrent calls deadlock; acquire them in one order" @230 "t.mu is locked here" @232 "calls the function literal" @232 "calls (*weights).of" @223 "acquires cycles.weights.mu" @236 "w.mu is locked here" @238 "calls the function literal" @239 "acquires cycles.table.mu"
}

func (w *weights) set(k string, v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() {
		w.table.mu.Lock()
		w.table.keys = append(w.table.keys, k)
		w.table.mu.Unlock()
	}()
	w.by[k] = v
}
