package leak

import "sync"

type stripes struct {
	mus [16]sync.Mutex
	n   [16]int
}

// Inc spells the index twice.
func (s *stripes) Inc(i int) int {
	s.mus[i%16].Lock()
	s.n[i%16]++
	n := s.n[i%16]
	s.mus[i%16].Unlock()
	return n // ok: one stripe
}

// Total keeps one of the stripes.
func (s *stripes) Total() (int, error) {
	sum := 0
	for i := range s.mus {
		mu := &s.mus[i]
		mu.Lock()
		if s.n[i] < 0 {
			return 0, errClosed // want leak/certain "s.mus[...] (locked at line 24) is still held when (*stripes).Total returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @24 "s.mus[...] is locked here"
		}
		sum += s.n[i]
		mu.Unlock()
	}
	return sum, nil
}

// sum locks all in one loop and unlocks all in another.
func sum(shards []*shard) int {
	for _, s := range shards {
		s.mu.Lock()
	}
	n := 0
	for _, s := range shards {
		n += s.n
	}
	for _, s := range shards {
		s.mu.Unlock()
	}
	return n // ok: all are unlocked
}

// reset defers one unlock a turn. They all run at the end of the function.
func reset(shards []*shard, limit int) error {
	for _, s := range shards {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.n > limit {
			return errClosed // ok: deferred
		}
	}
	return nil
}

// some keeps a list of what it has locked.
func some(shards []*shard, want func(int) bool) (n int) {
	var held []*sync.Mutex
	defer func() {
		for _, mu := range held {
			mu.Unlock()
		}
	}()
	for i, s := range shards {
		if !want(i) {
			continue
		}
		s.mu.Lock()
		held = append(held, &s.mu)
		n += s.n
	}
	return n // ok: the list is unlocked
}

type pair struct {
	a, b sync.Mutex
	n    int
}

// Both keeps a list of what is to be done at the end.
func (p *pair) Both(second bool) error {
	var cleanup []func()
	defer func() {
		for i := len(cleanup) - 1; i >= 0; i-- {
			cleanup[i]()
		}
	}()
	p.a.Lock()
	cleanup = append(cleanup, p.a.Unlock)
	if p.n < 0 {
		return errClosed // ok: the list unlocks
	}
	if second {
		p.b.Lock()
		cleanup = append(cleanup, p.b.Unlock)
	}
	return nil
}

// Choose locks one of two.
func (p *pair) Choose(second bool) int {
	l := &p.a
	if second {
		l = &p.b
	}
	l.Lock()
	p.n++
	if p.n > 100 {
		l.Unlock()
		return 0 // ok: the chosen one
	}
	l.Unlock()
	return p.n
}

type link struct {
	mu   sync.Mutex
	val  int
	next *link
}

// find goes hand over hand: one link is locked at a time.
func find(head *link, v int) bool {
	cur := head
	cur.mu.Lock()
	for cur.val != v {
		next := cur.next
		if next == nil {
			cur.mu.Unlock()
			return false // ok: the last link is unlocked
		}
		next.mu.Lock()
		cur.mu.Unlock()
		cur = next
	}
	cur.mu.Unlock()
	return true
}

type outside struct {
	mu  sync.Mutex
	gen int
}

// refreshLocked lets its caller's lock go for the fetch and takes it again on all paths.
func (o *outside) refreshLocked(fetch func() error) error {
	gen := o.gen
	o.mu.Unlock()
	err := fetch()
	o.mu.Lock()
	if err != nil {
		return err // ok: the caller had it before
	}
	if o.gen != gen {
		return nil
	}
	o.gen++
	return nil
}

// withLock works for any lock.
func withLock[L sync.Locker, T any](l L, f func() (T, error)) (T, error) {
	l.Lock()
	defer l.Unlock()
	v, err := f()
	if err != nil {
		var zero T
		return zero, err // ok: deferred
	}
	return v, nil
}
