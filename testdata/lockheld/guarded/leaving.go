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

// promise has a channel that a goroutine closes, if it is ever started.
type promise struct {
	mu   sync.Mutex
	done chan struct{}
}

// Start makes the channel before it knows whether there is anything to do.
func (p *promise) Start(prepare func() error, work func()) error {
	p.done = make(chan struct{})
	if err := prepare(); err != nil {
		return err
	}
	go func() {
		defer close(p.done)
		work()
	}()
	return nil
}

// Wait waits for a goroutine that may not be there.
func (p *promise) Wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	<-p.done // want blocking/possible "p.mu (locked at line 159) is held across the receive from p.done, which may block forever: (*promise).Start creates the channel at leaving.go:146 and can return at leaving.go:148 before it starts the goroutine that closes the channel; unlock first" @159 "p.mu is locked here" @146 "the channel is created here" @148 "and nothing closes it after this return"
}

// kept makes the channel where it starts the goroutine.
type kept struct {
	mu   sync.Mutex
	done chan struct{}
}

// Start makes the channel last.
func (k *kept) Start(prepare func() error, work func()) error {
	if err := prepare(); err != nil {
		return err
	}
	k.done = make(chan struct{})
	go func() {
		defer close(k.done)
		work()
	}()
	return nil
}

// Wait waits for work that needs no lock.
func (k *kept) Wait() {
	k.mu.Lock()
	defer k.mu.Unlock()
	<-k.done // ok: the goroutine is there, and closes it
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
	l.wg.Wait() // want blocking/certain "l.mu (locked at line 205) is held across l.wg.Wait, which blocks forever: the package has no call to Done" @205 "l.mu is locked here"
}
