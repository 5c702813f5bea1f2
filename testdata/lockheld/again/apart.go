package again

import "sync"

type batch struct {
	mu     sync.Mutex
	starts bool
	sums   int
}

// flush takes the lock.
func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sums = 0
}

// Add keeps the lock while the batch starts, and flushes only when it does not.
func (b *batch) Add(background bool, all []int) {
	starting := false
	if background {
		b.mu.Lock()
		starting = b.starts
		if starting {
			defer b.mu.Unlock()
		} else {
			b.mu.Unlock()
		}
	}
	for _, n := range all {
		if starting {
			b.sums += n
			continue
		}
		b.flush() // ok: it has no lock
	}
}

// Mixed flushes whatever it has.
func (b *batch) Mixed(background bool, all []int) {
	starting := false
	if background {
		b.mu.Lock()
		starting = b.starts
		if starting {
			defer b.mu.Unlock()
		} else {
			b.mu.Unlock()
		}
	}
	for range all {
		b.flush() // want relock/certain "b.mu (locked at line 43) is locked again (apart.go:13, via (*batch).flush), which deadlocks; unlock first, or call a variant that does not lock" @43 "b.mu is locked here" @52 "calls (*batch).flush" @13 "second acquisition"
	}
}

// Named takes the lock for one name of a list, which has it once.
func (b *batch) Named(names []string) {
	for _, name := range names {
		if name == "first" {
			b.mu.Lock() // ok: there is no second one
			defer b.mu.Unlock()
			b.sums++
		}
	}
}

// Each takes it for many.
func (b *batch) Each(names []string) {
	for _, name := range names {
		if name != "first" {
			b.mu.Lock() // want relock/certain "b.mu (locked at line 71) is locked again in the next iteration, which deadlocks; unlock first, or call a variant that does not lock" @71 "b.mu is locked here"
			defer b.mu.Unlock()
			b.sums++
		}
	}
}
