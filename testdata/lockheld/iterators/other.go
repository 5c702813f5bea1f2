package iterators

import (
	"sync"

	"example.com/operators/lockheld/iterators/shelf"
)

type library struct {
	mu    sync.Mutex
	shelf *shelf.Shelf[int]
	lent  *shelf.Shelf[int]
	notes sync.Mutex
}

// Renumber writes to the shelf that it goes over.
func (l *library) Renumber() {
	n := 0
	for title := range l.shelf.Books() { // want relock/certain "l.shelf.mu (read-locked by the function literal of (*Shelf).Books) is locked again (shelf.go:19, via the function literal, (*Shelf).Put), which deadlocks; unlock first, or call a variant that does not lock" @19 "l.shelf.mu is read-locked by the function literal of (*Shelf).Books (shelf.go:30)" @19 "calls the function literal" @21 "calls (*Shelf).Put" @shelf.go:19 "second acquisition"
		n++
		l.shelf.Put(title, n)
	}
}

// Lend writes to another one.
func (l *library) Lend() {
	for title, n := range l.shelf.Books() { // ok
		l.lent.Put(title, n)
	}
}

// Reset goes over a copy.
func (l *library) Reset() {
	for title := range l.shelf.Titles() { // ok
		l.shelf.Put(title, 0)
	}
}

// Visited is called with the lock held.
func (l *library) Visited() {
	l.shelf.Visit(func(s *shelf.Shelf[int]) { l.shelf.Put("a", 1) })() // want relock/certain "l.shelf.mu (locked by the function literal of (*Shelf).Visit) is locked again (shelf.go:19, via the function literal, (*Shelf).Put), which deadlocks; unlock first, or call a variant that does not lock" @41 "l.shelf.mu is locked by the function literal of (*Shelf).Visit (shelf.go:56)" @41 "calls the function literal" @41 "calls (*Shelf).Put" @shelf.go:19 "second acquisition"
}

// Noted only makes the function.
func (l *library) Noted() func() {
	return l.shelf.Visit(func(*shelf.Shelf[int]) { // ok
		l.notes.Lock()
		defer l.notes.Unlock()
	})
}

func (l *library) note() {
	l.mu.Lock()
	defer l.mu.Unlock()
}

// Counted takes the lock of the library twice.
func (l *library) Counted() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range l.shelf.Titles() { // want relock/certain "l.mu (locked at line 59) is locked again (other.go:53, via the function literal, (*library).note), which deadlocks; unlock first, or call a variant that does not lock" @59 "l.mu is locked here" @61 "calls the function literal" @62 "calls (*library).note" @53 "second acquisition"
		l.note()
	}
}

// Few does not.
func (l *library) Few() int {
	n := 0
	for range l.shelf.Books() {
		n += shelf.Len(l.shelf, true)() // ok
	}
	return n
}
