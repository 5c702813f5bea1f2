// Package again takes a lock that is held already in ways that are easily overlooked, and comes close to it.
package again

import "sync"

type inbox struct {
	mu   sync.Mutex
	seen map[string]int
}

// Drain goes on to the next key without the unlock: the next turn locks again.
func (b *inbox) Drain(keys []string) { // want leak/certain "b.mu (locked at line 14) is still held when (*inbox).Drain returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @14 "b.mu is locked here"
	for _, k := range keys {
		b.mu.Lock() // want relock/certain "b.mu (locked at line 14) is locked again in the next iteration, which deadlocks; unlock first, or call a variant that does not lock" @14 "b.mu is locked here"
		if b.seen[k] > 0 {
			continue
		}
		b.seen[k]++
		b.mu.Unlock()
	}
}

// DrainAll unlocks before it goes on.
func (b *inbox) DrainAll(keys []string) (n int) {
	for _, k := range keys {
		b.mu.Lock() // ok: unlocked at the end of each turn
		if b.seen[k] > 0 {
			b.mu.Unlock()
			continue
		}
		b.seen[k]++
		b.mu.Unlock()
		n++
	}
	return n
}

type dialer struct {
	mu    sync.Mutex
	tries int
}

// Redial unlocks before it jumps.
func (d *dialer) Redial(try func() error) {
again:
	d.mu.Lock() // ok: unlocked before the jump
	err := try()
	d.mu.Unlock()
	if err != nil {
		goto again
	}
}

type cell struct {
	mu sync.Mutex
	n  int
}

// sum locks another cell in each turn.
func sum(cells []*cell) (n int) {
	for _, c := range cells {
		c.mu.Lock() // ok: another cell
		n += c.n
	}
	for _, c := range cells {
		c.mu.Unlock()
	}
	return n
}

type link struct {
	mu   sync.Mutex
	next *link
	n    int
}

// last moves on before it locks.
func last(cur *link) int {
	for {
		cur.mu.Lock() // ok: the link before is unlocked
		next, n := cur.next, cur.n
		cur.mu.Unlock()
		if next == nil {
			return n
		}
		cur = next
	}
}

// couple holds two links at a time, in one variable.
func couple(cur *link) int {
	cur.mu.Lock()
	for cur.next != nil {
		cur.next.mu.Lock() // ok: the next link
		before := cur
		cur = cur.next
		before.mu.Unlock()
	}
	n := cur.n
	cur.mu.Unlock()
	return n
}

type node struct {
	mu   sync.Mutex
	kids []*node
	n    int
}

// walk calls itself for the children, each of which has a lock of its own.
func (n *node) walk() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.n
	for _, k := range n.kids {
		s += k.walk() // ok: a child
	}
	return s
}
