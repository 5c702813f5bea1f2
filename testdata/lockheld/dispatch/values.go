// Package dispatch waits under a lock for goroutines that are found through fields, interfaces, getters and maps only.
package dispatch

import "sync"

type counter struct {
	mu   sync.Mutex
	n    int
	emit func(int)
	in   chan int
}

func newCounter() *counter {
	c := &counter{in: make(chan int)}
	c.emit = c.push
	go c.drain()
	return c
}

func (c *counter) push(v int) { c.in <- v }

func (c *counter) drain() {
	for v := range c.in {
		c.mu.Lock()
		c.n += v
		c.mu.Unlock()
	}
}

// Hit sends by way of a field that holds a function.
func (c *counter) Hit(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emit(v) // want blocking/certain "c.mu (locked at line 32) is held across the send to c.in (values.go:20, via (*counter).push), which deadlocks: (*counter).drain at values.go:24 needs the same lock to unblock it; unlock first" @32 "c.mu is locked here" @34 "calls (*counter).push" @20 "blocks here" @24 "(*counter).drain needs the same lock here" @23 "and ends the wait only here"
}

type sink interface{ deliver(string) }

type chanSink struct{ c chan string }

func (s *chanSink) deliver(m string) { s.c <- m }

type recorder struct {
	mu   sync.Mutex
	sent int
	out  sink
	own  *chanSink
}

func newRecorder() *recorder {
	s := &chanSink{c: make(chan string)}
	r := &recorder{out: s, own: s}
	go r.deliverAll()
	return r
}

func (r *recorder) deliverAll() {
	for range r.own.c {
		r.mu.Lock()
		r.sent++
		r.mu.Unlock()
	}
}

// Event sends by way of an interface; the goroutine receives from the same object by its own name.
func (r *recorder) Event(m string) {
	r.mu.Lock()
	r.out.deliver(m) // want blocking/certain "r.mu (locked at line 67) is held across the send to s.c (values.go:41, via (*chanSink).deliver), which deadlocks: (*recorder).deliverAll at values.go:59 needs the same lock to unblock it; unlock first" @67 "r.mu is locked here" @68 "calls (*chanSink).deliver" @41 "blocks here" @59 "(*recorder).deliverAll needs the same lock here" @58 "and ends the wait only here"
	r.mu.Unlock()
}

type gauge struct {
	mu  sync.Mutex
	val float64
	c   chan float64
}

func newGauge() *gauge {
	g := &gauge{c: make(chan float64)}
	go func() {
		for v := range g.values() {
			g.mu.Lock()
			g.val = v
			g.mu.Unlock()
		}
	}()
	return g
}

func (g *gauge) values() chan float64 { return g.c }

// Set gets the channel from a getter, and so does the goroutine.
func (g *gauge) Set(v float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.values() <- v // want blocking/certain "g.mu (locked at line 94) is held across the send to g.c, which deadlocks: newGauge at values.go:82 needs the same lock to unblock it; unlock first" @94 "g.mu is locked here" @82 "newGauge needs the same lock here" @81 "and ends the wait only here"
}

type farm struct {
	mu   sync.Mutex
	done map[int]bool
	in   chan int
}

func newFarm() *farm {
	f := &farm{done: map[int]bool{}, in: make(chan int)}
	go harvest(f, f.in)
	return f
}

func harvest(f *farm, in <-chan int) {
	for id := range in {
		f.mu.Lock()
		f.done[id] = true
		f.mu.Unlock()
	}
}

// Sow sends to a goroutine that has the channel as a parameter.
func (f *farm) Sow(ids []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		f.in <- id // want blocking/certain "f.mu (locked at line 121) is held across the send to f.in, which deadlocks: harvest at values.go:113 needs the same lock to unblock it; unlock first" @121 "f.mu is locked here" @113 "harvest needs the same lock here" @112 "and ends the wait only here"
	}
}

type pipes struct{ in, out chan int }

type plant struct {
	mu    sync.Mutex
	total int
	p     pipes
}

func newPlant() *plant {
	p := pipes{in: make(chan int), out: make(chan int, 1)}
	pl := &plant{p: p}
	go run(p, pl)
	return pl
}

func run(p pipes, pl *plant) {
	for v := range p.in {
		pl.add(v)
	}
}

func (pl *plant) add(v int) {
	pl.mu.Lock()
	pl.total += v
	pl.mu.Unlock()
}

// Feed has its channels in a struct that is copied around.
func (pl *plant) Feed(v int) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	p := pl.p
	p.in <- v // want blocking/certain "pl.mu (locked at line 157) is held across the send to p.in, which deadlocks: (*plant).add at values.go:150 needs the same lock to unblock it; unlock first" @157 "pl.mu is locked here" @150 "(*plant).add needs the same lock here" @144 "and ends the wait only here"
}

type relay struct {
	mu   sync.Mutex
	seen int
	up   chan string
}

func newRelay() *relay {
	r := &relay{up: make(chan string)}
	go func() {
		for s := range r.up {
			r.note(s)
		}
	}()
	return r
}

func (r *relay) note(string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
}

func pass(dst chan<- string, s string) { dst <- s }

// Forward hands its channel to a function that sends.
func (r *relay) Forward(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pass(r.up, s) // want blocking/certain "r.mu (locked at line 189) is held across the send to dst (values.go:185, via pass), which deadlocks: (*relay).note at values.go:180 needs the same lock to unblock it; unlock first" @189 "r.mu is locked here" @191 "calls pass" @185 "blocks here" @180 "(*relay).note needs the same lock here" @172 "and ends the wait only here"
}

type producer struct {
	mu  sync.Mutex
	n   int
	out chan int
}

type consumer struct {
	in  <-chan int
	src *producer
	max int
}

func newProducer() *producer {
	p := &producer{out: make(chan int)}
	c := &consumer{in: p.out, src: p}
	go c.run()
	return p
}

func (p *producer) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

func (c *consumer) run() {
	for range c.in {
		c.max = max(c.max, c.src.len())
	}
}

// Make sends to a channel that the receiver has in a field of its own.
func (p *producer) Make() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	p.out <- p.n // want blocking/certain "p.mu (locked at line 227) is held across the send to p.out, which deadlocks: (*producer).len at values.go:214 needs the same lock to unblock it; unlock first" @227 "p.mu is locked here" @214 "(*producer).len needs the same lock here" @220 "and ends the wait only here"
}

type twin struct {
	mu   sync.Mutex
	n    int
	a, b chan int
}

func newTwin() *twin {
	t := &twin{a: make(chan int), b: make(chan int)}
	go t.serveA()
	go t.serveB()
	return t
}

func (t *twin) serveA() {
	for v := range t.a {
		println(v)
	}
}

func (t *twin) serveB() {
	for v := range t.b {
		t.mu.Lock()
		t.n += v
		t.mu.Unlock()
	}
}

// PutA is served by the goroutine that needs no lock; PutB holds none.
func (t *twin) PutA(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.a <- v // ok: serveA does not need the lock
}

func (t *twin) PutB(v int) { t.b <- v } // ok: nothing is held
