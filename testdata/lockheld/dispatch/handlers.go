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
		h(s) // want `b.mu .* is held across the send to .*events .*, which cannot end: \(\*bus\).loop`
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
	return p.onPress() // want `held across the send .*\(\*panel\).count .* needs the same lock` `held across the receive .*\(\*panel\).count .* needs the same lock`
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
	sort.Slice(r.keys, func(i, j int) bool { // want `r.mu .* is held across the send to r.progress .*through the function literal\), which cannot end: newRanker`
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
	s.with(func() { // want `s.mu .* is held across the receive from s.wake .*, which cannot end: \(\*signal\).with`
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
	defer func() { l.left <- n }() // want `l.mu .* is held across the send to l.left .*, which cannot end: \(\*leaver\).watch`
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
