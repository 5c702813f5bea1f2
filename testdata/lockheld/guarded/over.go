package guarded

import (
	"sync"
	"sync/atomic"
	"time"
)

// A starter's receiver takes the lock once, before anybody has the starter.
type starter struct {
	mu sync.Mutex
	id int
	in chan int
}

func newStarter() *starter {
	p := &starter{in: make(chan int)}
	started := make(chan struct{})
	go func() {
		p.mu.Lock()
		p.id = 1
		p.mu.Unlock()
		close(started)
		for range p.in {
		}
	}()
	<-started
	return p
}

func (p *starter) put(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in <- v // ok: the receiver is done with the lock
}

// A retrier counts in a field.
type retrier struct {
	mu   sync.Mutex
	left int
}

func (r *retrier) try(f func() error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left > 0 {
		r.left--
		if f() == nil {
			return
		}
		time.Sleep(time.Second) // ok: the loop counts
	}
}

// A drainer waits for work that ends without its lock.
type drainer struct {
	mu   sync.Mutex
	busy atomic.Int64
}

func (d *drainer) begin() { d.busy.Add(1) }
func (d *drainer) end()   { d.busy.Add(-1) }

func (d *drainer) drain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.busy.Load() > 0 {
		time.Sleep(time.Millisecond) // ok: begin and end do not need the lock
	}
}

// A branch asks its children, each under a lock of its own.
type branch struct {
	mu   sync.Mutex
	n    int
	kids []*branch
}

func (b *branch) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.n
	for _, k := range b.kids {
		c := make(chan int)
		go func() { c <- k.count() }()
		n += <-c // ok: the child's lock is another one
	}
	return n
}

// A desk sends an answer under the lock under which it was asked to: who waits for it had the lock before.
type desk struct {
	mu      sync.Mutex
	waiting map[string]chan string
}

func (d *desk) ask(name string) string {
	ch := make(chan string)
	d.mu.Lock()
	d.waiting[name] = ch
	d.mu.Unlock()
	return <-ch
}

func (d *desk) answer(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ch, ok := d.waiting[name]; ok {
		delete(d.waiting, name)
		ch <- text // ok: ask has the lock behind it
	}
}

// A locker gives the lock itself to its caller, who unlocks it.
type locker struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (l *locker) of(key string) (*sync.Mutex, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.locks[key]
	return k, ok
}

func (l *locker) current(key string) (*sync.Mutex, bool) {
	for {
		k, ok := l.of(key)
		if !ok {
			return nil, false
		}
		k.Lock()
		if now, _ := l.of(key); now == k {
			return k, true // ok: the caller has it
		}
		k.Unlock()
	}
}

// A register reads twice, and nobody but its constructor ever writes.
type register struct {
	mu sync.RWMutex
	m  map[string]int
}

func newRegister() *register {
	r := &register{}
	r.mu.Lock()
	r.m = map[string]int{}
	r.mu.Unlock()
	return r
}

func (r *register) get(k string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.m[k]
}

func (r *register) twice(k string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.get(k) + r.get(k) // ok: readers alone never wait for each other
}

// A board gives each subscriber a channel with one place, for one value.
type board struct {
	mu   sync.Mutex
	now  map[string]int
	subs map[string][]chan int
}

func (b *board) subscribe(name string) chan int {
	ch := make(chan int, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if v, ok := b.now[name]; ok {
		ch <- v // ok: the channel is new
		return ch
	}
	b.subs[name] = append(b.subs[name], ch)
	return ch
}

func (b *board) set(name string, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now[name] = v
	for _, ch := range b.subs[name] {
		ch <- v // ok: the only value
		close(ch)
	}
	b.subs[name] = nil
}

func (b *board) wait(name string) int { return <-b.subscribe(name) }

// A ticker is told to stop by a value, and leaves with it.
type ticking struct {
	mu   sync.Mutex
	stop *chan struct{}
}

func (t *ticking) start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	stop := make(chan struct{})
	t.stop = &stop
	go func() {
		tick := time.NewTicker(time.Second)
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
}

func (t *ticking) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		*t.stop <- struct{}{} // ok: the receiver waits for just this
		t.stop = nil
	}
}
