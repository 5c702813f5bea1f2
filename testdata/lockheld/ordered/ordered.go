// Package ordered has functions that come to one place by two ways, of which one calls something that may have put
// another object in the place of the one that is locked. What is known afterwards must not depend on which way is
// followed first.
package ordered

import "sync"

type shelf struct {
	mu    sync.Mutex
	books int
}

// Library keeps books.
type Library struct {
	main  *shelf
	loans int
}

// Move puts another shelf in the place of the main one.
func (l *Library) Move(to *shelf) { l.main = to }

func (l *Library) inventory() int { return l.loans }

// Selected says the same in both orders of its cases.
func (l *Library) Selected(asked, lent chan string) {
	l.main.mu.Lock()
	defer l.main.mu.Unlock()
	select {
	case <-lent:
		l.loans++
	case <-asked:
		l.inventory()
	}
	l.main.mu.Lock() // want relock/certain "l.main.mu (locked at line 26) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @26 "l.main.mu is locked here"
	l.main.mu.Unlock()
}

// callFirst and callLast say the same: one call more or less decides nothing, wherever it stands.
func (l *Library) callFirst(e bool) {
	l.main.mu.Lock()
	defer l.main.mu.Unlock()
	if e {
		l.inventory()
	} else {
		l.loans++
	}
	l.main.mu.Lock() // want relock/certain "l.main.mu (locked at line 40) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @40 "l.main.mu is locked here"
	l.main.mu.Unlock()
}

func (l *Library) callLast(e bool) {
	l.main.mu.Lock()
	defer l.main.mu.Unlock()
	if e {
		l.loans++
	} else {
		l.inventory()
	}
	l.main.mu.Lock() // want relock/certain "l.main.mu (locked at line 52) is locked again, which deadlocks; unlock first, or call a variant that does not lock" @52 "l.main.mu is locked here"
	l.main.mu.Unlock()
}
