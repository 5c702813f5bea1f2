package foreign

import "sync"

// Events sends to whoever listens.
type Events struct {
	mu        sync.Mutex
	listeners []chan<- string
	last      chan<- string
	own       chan string
	roomy     chan string
	desks     map[string]*desk
}

type desk struct {
	mu  sync.Mutex
	out chan<- string
}

// NewEvents listens to one channel itself.
func NewEvents() *Events {
	e := &Events{own: make(chan string), roomy: make(chan string, 1)}
	go func() {
		for range e.own {
		}
	}()
	return e
}

// Listen takes channels that others have made.
func (e *Events) Listen(name string, c chan<- string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners = append(e.listeners, c)
	e.last = c
	e.desks[name] = &desk{out: c}
}

// All sends to channels that are registered.
func (e *Events) All(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.listeners {
		c <- what // want slow/possible "e.mu (locked at line 41) is held across the send to e.listeners[...], which depends on a receiver outside of the package; unlock first" @41 "e.mu is locked here"
	}
}

// Last sends to a field.
func (e *Events) Last(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last <- what // want slow/possible "e.mu (locked at line 50) is held across the send to e.last, which depends on a receiver outside of the package; unlock first" @50 "e.mu is locked here"
}

// Through sends in a function that it calls.
func (e *Events) Through(what string, c chan<- string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	put(c, what) // want slow/possible "e.mu (locked at line 57) is held across the send to c (sends.go:62, via put), which depends on a receiver outside of the package; unlock first" @57 "e.mu is locked here" @59 "calls put" @62 "blocks here"
}

func put(c chan<- string, what string) { c <- what }

// Handed sends to a channel that it is given.
func (e *Events) Handed(what string, c chan<- string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c <- what // want slow/possible "e.mu (locked at line 66) is held across the send to c, which depends on a receiver outside of the package; unlock first" @66 "e.mu is locked here"
}

// Own sends to its own goroutine, which needs no lock.
func (e *Events) Own(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.own <- what // ok: the receiver is in sight
}

// Roomy sends to a channel of its own that nobody here receives from.
func (e *Events) Roomy(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.roomy <- what // ok: it was made here, with room
}

// Roomful gives that channel out.
func (e *Events) Roomful() <-chan string { return e.roomy }

// Either gives up when it is told to.
func (e *Events) Either(what string, stop <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	select { // ok: something else may end it
	case e.last <- what:
	case <-stop:
	}
}

// Perhaps does not wait.
func (e *Events) Perhaps(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	select { // ok
	case e.last <- what:
	default:
	}
}

// From receives from what others send to: how long that takes is what it asks for.
func (e *Events) From(c <-chan string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return <-c // ok
}

// Desk holds the lock of one element of a map.
func (e *Events) Desk(name, what string) {
	e.desks[name].mu.Lock()
	defer e.desks[name].mu.Unlock()
	e.desks[name].out <- what // ok
}

// After sends when the lock is gone.
func (e *Events) After(what string) {
	e.mu.Lock()
	last := e.last
	e.mu.Unlock()
	last <- what // ok
}
