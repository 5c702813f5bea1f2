package again

import (
	"sort"
	"sync"
)

type lister interface{ get(k string) int }

type memory struct {
	mu sync.Mutex
	by map[string]int
}

func (m *memory) get(k string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.by[k]
}

// cached stands in front of another lister, which may be a cached one again.
type cached struct {
	mu   sync.Mutex
	by   map[string]int
	next lister
}

func newCached() lister { return &cached{next: &cached{next: &memory{}}} }

func (c *cached) get(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.by[k]; ok {
		return v
	}
	return c.next.get(k) // ok: the next one is another object
}

type peer struct {
	mu     sync.Mutex
	onSync func()
	n      int
}

func (p *peer) bump() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
}

// newPeers has each change of the first tell the second.
func newPeers() *peer {
	first, second := &peer{}, &peer{}
	tell(first, second)
	return first
}

func tell(from, to *peer) { from.onSync = to.bump }

func (p *peer) Sync() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onSync() // ok: the method of another peer
}

// byAge has methods for sort, none of which locks.
type byAge struct {
	mu   sync.Mutex
	ages []int
}

func (b *byAge) Len() int           { return len(b.ages) }
func (b *byAge) Less(i, j int) bool { return b.ages[i] < b.ages[j] }
func (b *byAge) Swap(i, j int)      { b.ages[i], b.ages[j] = b.ages[j], b.ages[i] }

// Sort is for a caller that wants them in order.
func (b *byAge) Sort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	sort.Sort(b) // ok: the methods above
}

type perKey struct {
	mu sync.Mutex
	by map[string]*sync.Mutex
}

func (p *perKey) lock(k string) {
	p.mu.Lock()
	l := p.by[k]
	if l == nil {
		l = &sync.Mutex{}
		p.by[k] = l
	}
	p.mu.Unlock()
	l.Lock()
}

func (p *perKey) unlock(k string) {
	p.mu.Lock()
	p.by[k].Unlock()
	p.mu.Unlock()
}

// Move takes the locks of two keys, and the lock of the map for a moment each time.
func (p *perKey) Move(from, to string, f func() error) error {
	p.lock(from)
	defer p.unlock(from)
	p.lock(to) // ok: another key
	defer p.unlock(to)
	return f()
}
