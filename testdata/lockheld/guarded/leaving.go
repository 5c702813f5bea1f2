package guarded

import (
	"context"
	"sync"
)

// actor serves requests until its context ends.
type actor struct {
	mu   sync.Mutex
	reqs chan chan int
}

func newActor(ctx context.Context) *actor {
	a := &actor{reqs: make(chan chan int)}
	go func() {
		for {
			select {
			case r := <-a.reqs:
				r <- 1
			case <-ctx.Done():
				return
			}
		}
	}()
	return a
}

// Ask goes on to send when the actor has gone.
func (a *actor) Ask() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := make(chan int)
	a.reqs <- r // want blocking/possible "a.mu (locked at line 31) is held across the send to a.reqs, which blocks forever once its receiver newActor at leaving.go:18 has exited; unlock first" @31 "a.mu is locked here" @18 "the receiver can exit here"
	return <-r
}

// AskUntil looks at a context as well.
func (a *actor) AskUntil(ctx context.Context) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := make(chan int, 1)
	select {
	case a.reqs <- r: // ok: ctx ends it
	case <-ctx.Done():
		return 0
	}
	return 1
}

// flagged knows by a flag whether its actor is there.
type flagged struct {
	mu      sync.Mutex
	running bool
	in      chan int
	stop    chan struct{}
}

func newFlagged() *flagged {
	f := &flagged{in: make(chan int), stop: make(chan struct{}), running: true}
	go f.run()
	return f
}

func (f *flagged) run() {
	for {
		select {
		case v := <-f.in:
			println(v)
		case <-f.stop:
			return
		}
	}
}

// Stop resets the flag first.
func (f *flagged) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running {
		f.running = false
		close(f.stop)
	}
}

// Put sends where the flag says that there is a receiver.
func (f *flagged) Put(v int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running {
		f.in <- v // ok: the flag is kept under the same lock
	}
}

// writer takes everything until the channel is closed.
type writer struct {
	mu     sync.Mutex
	closed bool
	final  int
	c      chan int
}

func newWriter() *writer {
	w := &writer{c: make(chan int)}
	go w.run()
	return w
}

func (w *writer) run() {
	n := 0
	for v := range w.c {
		n += v
	}
	w.mu.Lock()
	w.final = n
	w.mu.Unlock()
}

// Put: the receiver needs the lock when nothing is sent any more.
func (w *writer) Put(v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.c <- v // ok: run locks behind its loop
	}
}

// Close does not wait.
func (w *writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.c)
	}
}

// lost adds to a group that nobody is done with.
type lost struct {
	mu sync.Mutex
	wg sync.WaitGroup
	n  int
}

// Start forgets the call of Done.
func (l *lost) Start(work func()) {
	l.wg.Add(1)
	go work()
}

// Close waits for it.
func (l *lost) Close() { // want Close:"locks p0.mu; waits for l.wg.Wait, which nothing ends"
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wg.Wait() // want blocking/certain "l.mu (locked at line 153) is held across l.wg.Wait, which blocks forever: the package has no call to Done; add one" @153 "l.mu is locked here"
}
