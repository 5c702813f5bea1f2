// Package methodvalue gives out methods as values.
package methodvalue

import "sync"

// A gate gives out the method that ends its wait as a value: others call it.
type gate struct {
	mu     sync.Mutex
	closed bool
	users  sync.WaitGroup
}

func (g *gate) enter() (func(), bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, false
	}
	g.users.Add(1)
	return g.users.Done, true
}

func (g *gate) drain() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.users.Wait()
}

type gates struct {
	mu  sync.Mutex
	all map[string]*gate
}

func (t *gates) use(k string, f func()) {
	t.mu.Lock()
	g := t.all[k]
	t.mu.Unlock()
	if leave, ok := g.enter(); ok {
		defer leave()
		f()
	}
}

func (t *gates) drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[k].drain() // ok: who got Done calls it
	delete(t.all, k)
}

// A fence adds to its group, and gives out what waits for it.
type fence struct {
	mu    sync.Mutex
	users sync.WaitGroup
}

func (f *fence) enter() func() {
	f.users.Add(1)
	return f.users.Wait
}

func (f *fence) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users.Wait() // want blocking/certain "f.mu (locked at line 64) is held across f.users.Wait, which blocks forever: the package has no call to Done; add one" @64 "f.mu is locked here"
}
