// Package peers waits for other goroutines under a lock. Whether that can end depends on what they need.
package peers // want package:"(*queue).popAll locked example.com/operators/lockheld/peers.queue.mu with example.com/operators/lockheld/peers.queue.other locked; example.com/operators/lockheld/peers.buffered.mu is locked for writing; example.com/operators/lockheld/peers.bus.mu is locked for writing; example.com/operators/lockheld/peers.free.mu is locked for writing; example.com/operators/lockheld/peers.handedOut.mu is locked for writing; example.com/operators/lockheld/peers.polite.mu is locked for writing; example.com/operators/lockheld/peers.pool.mu is locked for writing; example.com/operators/lockheld/peers.queue.mu is locked for writing; example.com/operators/lockheld/peers.queue.other is locked for writing; example.com/operators/lockheld/peers.quiet.mu is locked for writing; example.com/operators/lockheld/peers.recorder.mu is locked for writing"

import "sync"

type recorder struct {
	mu     sync.Mutex
	notify chan string
	seen   map[string]bool
}

func newRecorder() *recorder { return &recorder{notify: make(chan string), seen: map[string]bool{}} }

func (r *recorder) record(k string) { // want record:"locks p0.mu; waits for the send to r.notify, which nothing ends"
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[k] = true
	r.notify <- k // want blocking/certain "r.mu (locked at line 15) is held across the send to r.notify, which blocks forever: the package has no receiver; add one" @15 "r.mu is locked here"
}

type bus struct {
	mu  sync.Mutex
	in  chan int
	sum int
}

func newBus() *bus { return &bus{in: make(chan int)} }

func (b *bus) loop() {
	for v := range b.in {
		b.mu.Lock()
		b.sum += v
		b.mu.Unlock()
	}
}

func (b *bus) put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in <- v // want blocking/certain "b.mu (locked at line 38) is held across the send to b.in, which deadlocks: (*bus).loop at peers.go:31 needs the same lock to unblock it; unlock first" @38 "b.mu is locked here" @31 "(*bus).loop needs the same lock here" @30 "and ends the wait only here"
}

type free struct {
	mu sync.Mutex
	in chan int
}

func newFree() *free { return &free{in: make(chan int)} }

func (f *free) loop() {
	for v := range f.in {
		println(v)
	}
}

func (f *free) put(v int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.in <- v // ok: the receiver does not need the lock
}

type polite struct {
	mu   sync.Mutex
	in   chan int
	done chan struct{}
}

func (p *polite) close() { close(p.done) }

func newPolite() *polite { return &polite{in: make(chan int), done: make(chan struct{})} }

func (p *polite) put(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.in <- v: // ok: done ends it
	case <-p.done:
	}
	select {
	case p.in <- v: // ok: default
	default:
	}
}

type buffered struct {
	mu sync.Mutex
	in chan int
}

func newBuffered() *buffered { return &buffered{in: make(chan int, 100)} }

func (b *buffered) put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.in <- v // ok: there is a buffer, and how full it is cannot be known
}

// handedOut gives its channel away: who receives cannot be seen.
type handedOut struct {
	mu sync.Mutex
	in chan int
}

func newHandedOut(consume func(<-chan int)) *handedOut {
	h := &handedOut{in: make(chan int)}
	consume(h.in)
	return h
}

func (h *handedOut) put(v int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.in <- v // ok: consume has it
}

type pool struct {
	mu sync.Mutex
	wg sync.WaitGroup
	n  int
}

func (p *pool) run() {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		p.mu.Lock()
		p.n++
		p.mu.Unlock()
	}()
}

func (p *pool) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wg.Wait() // want blocking/possible "p.mu (locked at line 133) is held across p.wg.Wait, which deadlocks: (*pool).run at peers.go:126 needs the same lock to unblock it; unlock first" @133 "p.mu is locked here" @126 "(*pool).run needs the same lock here" @125 "and ends the wait only here"
}

type quiet struct {
	mu sync.Mutex
	wg sync.WaitGroup
}

func (q *quiet) run() {
	q.wg.Add(1)
	go func() { defer q.wg.Done() }()
}

func (q *quiet) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wg.Wait() // ok: the goroutines do not need the lock
}

type queue struct {
	mu, other sync.Mutex
	cond      *sync.Cond
	items     []int
}

func newQueue() *queue {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue) push(v int) {
	q.other.Lock()
	defer q.other.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
	q.cond.Signal()
}

func (q *queue) pop() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait() // ok: it lets go of its own lock
	}
	return q.items[0]
}

func (q *queue) popAll() {
	q.other.Lock()
	defer q.other.Unlock()
	q.mu.Lock()
	for len(q.items) == 0 {
		q.cond.Wait() // want blocking/certain "q.other (locked at line 185) is held across q.cond.Wait, which deadlocks: (*queue).push at peers.go:167 needs the same lock to unblock it; unlock first" @185 "q.other is locked here" @167 "(*queue).push needs the same lock here" @172 "and ends the wait only here"
	}
	q.mu.Unlock()
}
