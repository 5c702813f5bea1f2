package cycles

import "sync"

type entry struct {
	mu       sync.Mutex
	registry *entries
	n        int
}

type entries struct {
	mu sync.Mutex
	by map[string]*entry
}

// insert locks an entry that it has made itself before anybody else can see it: that never waits.
func (r *entries) insert(k string) {
	r.mu.Lock()
	e := &entry{registry: r}
	e.mu.Lock() // ok: a new entry
	r.by[k] = e
	r.mu.Unlock()
	e.n = 1
	e.mu.Unlock()
}

func (e *entry) remove(k string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.registry.mu.Lock() // ok: the only order that waits
	delete(e.registry.by, k)
	e.registry.mu.Unlock()
}

type (
	left  struct{ mu sync.Mutex }
	right struct{ mu sync.Mutex }
)

// newPair locks two objects that are both new.
func newPair() (*left, *right) {
	l, r := &left{}, &right{}
	r.mu.Lock()
	l.mu.Lock() // ok: both are new
	l.mu.Unlock()
	r.mu.Unlock()
	return l, r
}

func usePair(l *left, r *right) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.mu.Lock() // ok: the only order that waits
	r.mu.Unlock()
}
