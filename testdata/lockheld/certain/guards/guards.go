// Package guards gives out locks together with what releases them.
package guards

import "sync"

// A Box gives a Guard to who has its lock.
type Box struct {
	mu sync.Mutex
	N  int
}

type Guard struct{ box *Box }

func (b *Box) Acquire() *Guard {
	b.mu.Lock()
	return &Guard{b}
}

func (g *Guard) Release() { g.box.mu.Unlock() }

// Edit locks the box until the function that it returns is called.
func (b *Box) Edit() (done func()) {
	b.mu.Lock()
	return func() {
		b.N++
		b.mu.Unlock()
	}
}

// Open locks the box until Close.
func (b *Box) Open() int {
	b.mu.Lock()
	return b.N
}

func (b *Box) Close() { b.mu.Unlock() }
