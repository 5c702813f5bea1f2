package certain

import "sync"

// Rows and keys lie behind one another, as they were made.
type rows struct {
	mu   sync.Mutex
	all  map[string]int
	keys *keys
}

type keys struct {
	mu   sync.Mutex
	all  map[string]bool
	down *rows
}

func newRows() *rows {
	last := &keys{all: map[string]bool{}}
	second := &rows{all: map[string]int{}, keys: last}
	first := &keys{all: map[string]bool{}, down: second}
	return &rows{all: map[string]int{}, keys: first}
}

func (r *rows) put(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[k]++
	r.keys.add(k)
}

func (k *keys) add(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all[key] = true
	if k.down != nil {
		k.down.put(key)
	}
}

// Left and right call each other from two sides.
type left struct {
	mu    sync.Mutex
	n     int
	right *right
}

type right struct {
	mu   sync.Mutex
	n    int
	left *left
}

func (l *left) put() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.right.add() // want order/possible "lock order cycle: (*left).put locks certain.right.mu while holding certain.left.mu (chain.go:61); (*right).put locks certain.left.mu while holding certain.right.mu (chain.go:73): concurrent calls deadlock; acquire them in one order" @55 "l.mu is locked here" @57 "calls (*right).add" @61 "acquires certain.right.mu" @67 "r.mu is locked here" @69 "calls (*left).add" @73 "acquires certain.left.mu"
}

func (r *right) add() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
}

func (r *right) put() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left.add()
}

func (l *left) add() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
}

// A Fan has an Apply as its targets do, and nobody makes a target of it.
type Fan struct {
	mu      sync.Mutex
	targets []Target
}

type Target interface{ Apply(string) error }

func NewFan(t ...Target) *Fan { return &Fan{targets: t} }

func (f *Fan) Apply(s string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	errs := make(chan error, len(f.targets))
	var wg sync.WaitGroup
	for _, t := range f.targets {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- t.Apply(s)
		}()
	}
	wg.Wait()
	return <-errs
}

// A Tally is written by who does not wait for its lock.
type Tally struct {
	mu sync.RWMutex
	m  map[string]int
}

func (t *Tally) get(k string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[k]
}

func (t *Tally) Sum(ks ...string) (n int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, k := range ks {
		n += t.get(k)
	}
	return n
}

func (t *Tally) Clear() bool {
	if !t.mu.TryLock() {
		return false
	}
	defer t.mu.Unlock()
	clear(t.m)
	return true
}
