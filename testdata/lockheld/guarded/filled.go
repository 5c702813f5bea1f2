package guarded

import (
	"sync"
	"sync/atomic"
	"time"
)

type slate struct {
	mu    sync.Mutex
	open  bool
	drawn atomic.Bool
	notes []string
}

// note waits until the slate is drawn where there is something to put there.
func (b *slate) note(notes []string) {
	rest := false
	if b.open {
		if len(notes) == 0 {
			b.notes = nil
		} else {
			rest = true
		}
	}
	if rest {
		for !b.drawn.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	b.notes = append(b.notes, notes...)
}

// Join has nothing to put there.
func (b *slate) Join() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note(nil) // ok: it waits for those alone who have something
}

// Put has what it is given.
func (b *slate) Put(notes []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note(notes) // want blocking/possible "b.mu (locked at line 43) is held across time.Sleep (filled.go:28, via (*slate).note), which may block forever waiting for its condition to hold; unlock first" @43 "b.mu is locked here" @45 "calls (*slate).note" @28 "blocks here"
}

// PutOne has something.
func (b *slate) PutOne(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note([]string{text})
}
