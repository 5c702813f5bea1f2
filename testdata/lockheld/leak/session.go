package leak

import (
	"errors"
	"sync"
)

// A drawer is open for one at a time, who closes it.
type drawer struct {
	mu    *sync.Mutex
	items []string
}

// An opened is a drawer that is open: it has the lock.
type opened struct {
	mu    *sync.Mutex
	items []string
}

func newOpened(mu *sync.Mutex, items []string) *opened { return &opened{mu, items} }

func (o *opened) close() { o.mu.Unlock() }

// open returns with the lock, in what it gives.
func (d *drawer) open(load func() ([]string, error)) (*opened, error) {
	d.mu.Lock()
	items, err := load()
	if err != nil {
		d.mu.Unlock()
		return nil, err
	}
	d.items = items
	return newOpened(d.mu, items), nil // ok: what is made of the lock releases it
}

// fill puts the lock into what it gives by itself.
func (d *drawer) fill(item string) (*opened, error) {
	d.mu.Lock()
	if item == "" {
		d.mu.Unlock()
		return nil, errors.New("nothing to fill in")
	}
	return &opened{mu: d.mu, items: append(d.items, item)}, nil // ok
}

// count gives what has nothing to do with the lock.
func (d *drawer) count(limit int) (*opened, error) {
	d.mu.Lock()
	if len(d.items) > limit {
		return newOpened(&sync.Mutex{}, d.items), nil // want leak/certain "d.mu (locked at line 48) is still held when (*drawer).count returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @48 "d.mu is locked here"
	}
	d.mu.Unlock()
	return nil, errors.New("too few")
}

func useDrawers(d *drawer) {
	for _, open := range []func() (*opened, error){
		func() (*opened, error) { return d.open(func() ([]string, error) { return nil, nil }) },
		func() (*opened, error) { return d.fill("a") },
		func() (*opened, error) { return d.count(1) },
	} {
		if o, err := open(); err == nil {
			o.close()
		}
	}
}
