package dispatch

import (
	"context"
	"sync"
	"time"
)

// parallel starts one goroutine a number and waits for all of them.
func parallel(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(i)
		}()
	}
	wg.Wait()
}

type grid struct {
	mu    sync.Mutex
	cells []int
}

func (g *grid) set(i, v int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cells[i] = v
}

// Fill joins goroutines that need the lock.
func (g *grid) Fill(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	parallel(n, func(i int) { g.set(i, i*i) }) // want blocking/possible "g.mu (locked at line 35) is held across wg.Wait (contexts.go:19, via parallel), which deadlocks: (*grid).set at contexts.go:28 needs the same lock to unblock it; unlock first" @35 "g.mu is locked here" @37 "calls parallel" @19 "blocks here" @28 "(*grid).set needs the same lock here" @15 "and ends the wait only here"
}

type wall struct {
	mu    sync.Mutex
	cells []int
}

// Fill joins goroutines that do not.
func (w *wall) Fill(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cells = make([]int, n)
	parallel(n, func(i int) { w.cells[i] = i * i }) // ok: cells of their own
}

// spawn only starts what it is given.
func spawn(f func()) { go f() }

type reader struct {
	mu sync.RWMutex
	n  int
}

func (r *reader) read() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.n
}

// Swap waits for what a goroutine reads under the lock.
func (r *reader) Swap(v int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := make(chan int, 1)
	go func() { res <- r.read() }()
	old := <-res // want blocking/possible "r.mu (locked at line 69) is held across the receive from a chan int, which deadlocks: (*reader).read at contexts.go:62 needs the same lock to unblock it; unlock first" @69 "r.mu is locked here" @62 "(*reader).read needs the same lock here" @72 "and ends the wait only here"
	r.n = v
	return old
}

// Log starts it, and does not wait.
func (r *reader) Log() {
	r.mu.Lock()
	defer r.mu.Unlock()
	spawn(func() { println(r.read()) }) // ok: spawn does not wait
}

type server struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	conns  int
	done   chan struct{}
}

func (s *server) Start(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, s.cancel = context.WithCancel(ctx)
	s.done = make(chan struct{})
	go s.serve(ctx, s.done)
}

func (s *server) serve(ctx context.Context, done chan struct{}) {
	<-ctx.Done()
	s.mu.Lock()
	s.conns = 0
	s.mu.Unlock()
	close(done)
}

// Shutdown waits in a callee for the goroutine that cleans up under the lock.
func (s *server) Shutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	s.join() // want blocking/certain "s.mu (locked at line 110) is held across the receive from s.done (contexts.go:116, via (*server).join), which deadlocks: (*server).serve at contexts.go:102 needs the same lock to unblock it; unlock first" @110 "s.mu is locked here" @113 "calls (*server).join" @116 "blocks here" @102 "(*server).serve needs the same lock here" @105 "and ends the wait only here"
}

func (s *server) join() { <-s.done }

// ShutdownUnlocked copies what it needs.
func (s *server) ShutdownUnlocked() {
	s.mu.Lock()
	cancel, done := s.cancel, s.done
	s.mu.Unlock()
	cancel()
	<-done // ok: unlocked
}

type loop struct {
	mu         sync.Mutex
	n          int
	stop, done chan struct{}
}

func newLoop() *loop {
	l := &loop{stop: make(chan struct{}), done: make(chan struct{})}
	go l.run()
	return l
}

func (l *loop) run() {
	defer close(l.done)
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
			l.mu.Lock()
			l.n++
			l.mu.Unlock()
		}
	}
}

// Stop may find the loop on its way to the lock.
func (l *loop) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.stop)
	<-l.done // want blocking/possible "l.mu (locked at line 157) is held across the receive from l.done, which deadlocks: (*loop).run at contexts.go:148 needs the same lock to unblock it; unlock first" @157 "l.mu is locked here" @148 "(*loop).run needs the same lock here" @140 "and ends the wait only here"
}

type service struct {
	life sync.Mutex
	wg   sync.WaitGroup
	stop chan struct{}

	data sync.Mutex
	n    int
}

func (s *service) Start() {
	s.life.Lock()
	defer s.life.Unlock()
	s.stop = make(chan struct{})
	s.wg.Go(func() { s.work(s.stop) })
}

func (s *service) work(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			s.data.Lock()
			s.n++
			s.data.Unlock()
		}
	}
}

// Stop holds a lock that the workers never take.
func (s *service) Stop() {
	s.life.Lock()
	defer s.life.Unlock()
	close(s.stop)
	s.wg.Wait() // ok: the workers take data
}

type pump struct {
	mu      sync.RWMutex
	in, out chan int
	total   int
}

func newPump() *pump {
	p := &pump{in: make(chan int), out: make(chan int)}
	go p.pop()
	go p.listen()
	return p
}

// pop is an unbounded buffer: its only send stands beside its receive.
func (p *pump) pop() { // want pop:"waits for the select on next, which can end in 2 ways; does not return"
	var pending []int
	var next chan<- int
	head := 0
	for {
		select {
		case next <- head:
			if len(pending) == 0 {
				next = nil
				continue
			}
			head, pending = pending[0], pending[1:]
		case v := <-p.in:
			if next == nil {
				head, next = v, p.out
			} else {
				pending = append(pending, v)
			}
		}
	}
}

func (p *pump) listen() {
	for v := range p.out {
		p.mu.Lock()
		p.total += v
		p.mu.Unlock()
	}
}

// Add is taken in by pop, which never needs the lock; the listener behind it does.
func (p *pump) Add(v int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.in <- v // ok: pop is always ready
}

type fan struct {
	mu   sync.Mutex
	n    int
	c, d chan int
}

func newFan() *fan {
	f := &fan{c: make(chan int), d: make(chan int)}
	go f.spread()
	go f.try()
	return f
}

func (f *fan) add(v int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n += v
}

func (f *fan) spread() {
	for v := range f.c {
		go f.add(v)
	}
}

func (f *fan) try() {
	for v := range f.d {
		if f.mu.TryLock() {
			f.n += v
			f.mu.Unlock()
		}
	}
}

// Put is received by one who has each value handled elsewhere, and by one who only tries.
func (f *fan) Put(v int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.c <- v // ok: the goroutines that spread starts need the lock, spread does not
	f.d <- v // ok: TryLock does not wait
}
