package dispatch

import (
	"slices"
	"sort"
	"sync"
)

type bus struct {
	mu       sync.Mutex
	handlers []func(string)
	events   chan string
	n        int
}

func newBus() *bus {
	b := &bus{events: make(chan string)}
	b.on(func(s string) { b.events <- s })
	go b.loop()
	return b
}

func (b *bus) on(h func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers = append(b.handlers, h)
}

func (b *bus) loop() {
	for range b.events {
		b.mu.Lock()
		b.n++
		b.mu.Unlock()
	}
}

// Fire calls its handlers under the lock; one of them sends to a goroutine that needs it.
func (b *bus) Fire(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.handlers {
		h(s) // want blocking/certain "b.mu (locked at line 39) is held across the send to bus.events (handlers.go:18, via the function literal of newBus), which deadlocks: (*bus).loop at handlers.go:31 needs the same lock to unblock it; unlock first" @39 "b.mu is locked here" @42 "calls the function literal of newBus" @18 "blocks here" @31 "(*bus).loop needs the same lock here" @30 "and ends the wait only here"
	}
}

// FireLater copies them first.
func (b *bus) FireLater(s string) {
	b.mu.Lock()
	handlers := slices.Clone(b.handlers)
	b.mu.Unlock()
	for _, h := range handlers {
		h(s) // ok: unlocked
	}
}

type panel struct {
	mu      sync.Mutex
	onPress func() int
	presses int
}

func (p *panel) setOnPress(f func() int) { p.onPress = f }

func (p *panel) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.presses
}

// Press asks a goroutine that calls count before it answers: neither the question nor the answer can end.
func (p *panel) Press() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.presses++
	return p.onPress() // want blocking/certain "p.mu (locked at line 72) is held across the send to c.asks (handlers.go:92, via (*controller).ask), which deadlocks: (*panel).count at handlers.go:65 needs the same lock to unblock it; unlock first; so does 1 more wait below this call" @72 "p.mu is locked here" @75 "calls (*controller).ask" @92 "blocks here" @65 "(*panel).count needs the same lock here" @97 "and ends the wait only here" @72 "p.mu is locked here" @75 "calls (*controller).ask" @93 "blocks here" @65 "(*panel).count needs the same lock here" @98 "and ends the wait only here"
}

type controller struct {
	p    *panel
	asks chan chan int
}

func newPanel() *panel {
	c := &controller{p: &panel{}, asks: make(chan chan int)}
	c.p.setOnPress(c.ask)
	go c.serve()
	return c.p
}

func (c *controller) ask() int {
	reply := make(chan int, 1)
	c.asks <- reply
	return <-reply
}

func (c *controller) serve() {
	for r := range c.asks {
		r <- c.p.count()
	}
}

type request struct {
	n     int
	reply chan int
}

// client asks a goroutine that keeps its state to itself.
type client struct {
	mu   sync.Mutex
	last int
	reqs chan request
}

func newClient() *client {
	c := &client{reqs: make(chan request)}
	go c.serve()
	return c
}

func (c *client) serve() {
	state := 0
	for r := range c.reqs {
		state += r.n
		r.reply <- state
	}
}

func (c *client) Add(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := request{n: n, reply: make(chan int)}
	c.reqs <- r        // ok: serve needs no lock
	c.last = <-r.reply // ok: serve answers each request
	return c.last
}

type ranker struct {
	mu       sync.Mutex
	keys     []int
	compared int
	progress chan int
}

func newRanker() *ranker {
	r := &ranker{progress: make(chan int)}
	go func() {
		for n := range r.progress {
			r.mu.Lock()
			r.compared += n
			r.mu.Unlock()
		}
	}()
	return r
}

// Sort reports its progress out of the comparison.
func (r *ranker) Sort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	sort.Slice(r.keys, func(i, j int) bool { // want blocking/certain "r.mu (locked at line 158) is held across the send to r.progress (handlers.go:161, via the function literal), which deadlocks: newRanker at handlers.go:148 needs the same lock to unblock it; unlock first" @158 "r.mu is locked here" @160 "calls the function literal" @161 "blocks here" @148 "newRanker needs the same lock here" @147 "and ends the wait only here"
		r.progress <- 1
		return r.keys[i] < r.keys[j]
	})
}

type signal struct {
	mu   sync.Mutex
	wake chan struct{}
}

func newSignal() *signal { return &signal{wake: make(chan struct{})} }

func (s *signal) with(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *signal) Signal() { s.with(func() { close(s.wake) }) }

// Await has its wait run with the lock held, and so has Signal what ends it.
func (s *signal) Await() {
	s.with(func() { // want blocking/certain "s.mu (locked by (*signal).with) is held across the receive from s.wake (handlers.go:184, via the function literal), which deadlocks: (*signal).Signal needs the same lock to unblock it; unlock first" @183 "s.mu is locked by (*signal).with (handlers.go:176)" @183 "calls the function literal" @184 "blocks here" @179 "ends the wait, but only with the lock held"
		<-s.wake
	})
}

type leaver struct {
	mu   sync.Mutex
	open int
	left chan int
}

func newLeaver() *leaver {
	l := &leaver{left: make(chan int)}
	go l.watch()
	return l
}

func (l *leaver) watch() {
	for n := range l.left {
		l.mu.Lock()
		l.open -= n
		l.mu.Unlock()
	}
}

// Leave defers the send after the unlock, so that it runs before it.
func (l *leaver) Leave(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.left <- n }() // want blocking/certain "l.mu (locked at line 210) is held across the send to l.left (handlers.go:212, via the function literal), which deadlocks: (*leaver).watch at handlers.go:202 needs the same lock to unblock it; unlock first" @210 "l.mu is locked here" @212 "calls the function literal" @212 "blocks here" @202 "(*leaver).watch needs the same lock here" @201 "and ends the wait only here"
	l.open++
}

// LeaveFirst defers it first, so that it runs last.
func (l *leaver) LeaveFirst(n int) {
	defer func() { l.left <- n }() // ok: runs after the unlock
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
}

// LeaveLater has it sent by somebody else.
func (l *leaver) LeaveLater(n int) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	go func() { l.left <- n }()   // ok: a goroutine
	return func() { l.left <- n } // ok: returned, not called
}
