package certain

import "sync"

// A Board's reset is one call that takes the lock again in three places.
type Board struct {
	mu      sync.Mutex
	a, b, c int
}

func (b *Board) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all() // want relock/certain "b.mu (locked at line 12) is locked again (below.go:24, via (*Board).all, (*Board).setA), which deadlocks; unlock first, or call a variant that does not lock; so do 2 more acquisitions below this call" @12 "b.mu is locked here" @14 "calls (*Board).all" @18 "calls (*Board).setA" @24 "second acquisition" @12 "b.mu is locked here" @14 "calls (*Board).all" @19 "calls (*Board).setB" @30 "second acquisition" @12 "b.mu is locked here" @14 "calls (*Board).all" @20 "calls (*Board).setC" @36 "second acquisition"
}

func (b *Board) all() {
	b.setA()
	b.setB()
	b.setC()
}

func (b *Board) setA() {
	b.mu.Lock()
	b.a = 0
	b.mu.Unlock()
}

func (b *Board) setB() {
	b.mu.Lock()
	b.b = 0
	b.mu.Unlock()
}

func (b *Board) setC() {
	b.mu.Lock()
	b.c = 0
	b.mu.Unlock()
}

// Deep takes its lock again six calls below: the message names the first and the last of them.
func (b *Board) Deep() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.one() // want relock/certain "b.mu (locked at line 43) is locked again (below.go:24, via (*Board).one, 4 more, (*Board).setA), which deadlocks; unlock first, or call a variant that does not lock" @43 "b.mu is locked here" @45 "calls (*Board).one" @48 "calls (*Board).two" @49 "calls (*Board).three" @50 "calls (*Board).four" @51 "calls (*Board).five" @52 "calls (*Board).setA" @24 "second acquisition"
}

func (b *Board) one()   { b.two() }
func (b *Board) two()   { b.three() }
func (b *Board) three() { b.four() }
func (b *Board) four()  { b.five() }
func (b *Board) five()  { b.setA() }
