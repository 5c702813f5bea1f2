// Package foreign calls under a lock what others have registered with the object that has the lock, and sends to
// channels that others receive from. It is reported with -lockheld.slow only.
package foreign

import (
	"context"
	"errors"
	"sync"
)

// Check is what others register.
type Check interface {
	Run(ctx context.Context) bool
	Name() string
}

type step struct {
	name string
	do   func() error
}

// Doctor keeps what others register.
type Doctor struct {
	mu     sync.Mutex
	other  sync.Mutex
	checks map[string]Check
	steps  []step
	hooks  []func() error
	tells  []func(string)
	first  func() error
	own    []func() error
	parts  part
	rooms  map[string]*room
}

type part struct {
	mu    sync.Mutex
	hooks []func() error
}

type room struct {
	mu    sync.Mutex
	hooks []func() error
}

// Register takes what others bring.
func (d *Doctor) Register(name string, c Check, s func() error, tell func(string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checks[name] = c
	d.steps = append(d.steps, step{name, s})
	d.hooks = append(d.hooks, s)
	d.tells = append(d.tells, tell)
	d.parts.hooks = append(d.parts.hooks, s)
	d.rooms[name].hooks = append(d.rooms[name].hooks, s)
	d.first = s
	d.own = append(d.own, d.nothing)
}

func (d *Doctor) nothing() error { return nil }

// Examine runs methods that take a context.
func (d *Doctor) Examine(ctx context.Context) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.checks {
		if !c.Run(ctx) { // want slow/possible "d.mu (locked at line 64) is held across c.Run, which runs registered code, which may block or acquire the same lock; unlock first" @64 "d.mu is locked here"
			return false
		}
	}
	return true
}

// Treat runs functions that can fail, which are fields of elements.
func (d *Doctor) Treat() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.steps {
		if err := s.do(); err != nil { // want slow/possible "d.mu (locked at line 76) is held across s.do, which runs registered code, which may block or acquire the same lock; unlock first" @76 "d.mu is locked here"
			return err
		}
	}
	return nil
}

// One calls an element that it does not look for, and then another one, which is not worth a finding more.
func (d *Doctor) One() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(
		d.hooks[0](), // want slow/possible "d.mu (locked at line 88) is held across d.hooks[0], which runs registered code, which may block or acquire the same lock; unlock first" @88 "d.mu is locked here"
		d.hooks[1](), // ok: one in a function is enough
	)
}

// Inner holds the lock of a part, whose elements it calls.
func (d *Doctor) Inner() error {
	d.parts.mu.Lock()
	defer d.parts.mu.Unlock()
	return d.parts.hooks[0]() // want slow/possible "d.parts.mu (locked at line 98) is held across d.parts.hooks[0], which runs registered code, which may block or acquire the same lock; unlock first" @98 "d.parts.mu is locked here"
}

// Outer holds the lock of the whole, to which the part belongs.
func (d *Doctor) Outer() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.parts.hooks[0]() // want slow/possible "d.mu (locked at line 105) is held across d.parts.hooks[0], which runs registered code, which may block or acquire the same lock; unlock first" @105 "d.mu is locked here"
}

// Sometimes holds the lock on one of two ways.
func (d *Doctor) Sometimes(careful bool) error {
	if careful {
		d.mu.Lock()
		defer d.mu.Unlock()
	}
	return d.hooks[0]() // want slow/possible "d.mu (locked at line 113) is held across d.hooks[0], which runs registered code, which may block or acquire the same lock; unlock first" @113 "d.mu is locked here"
}

// Tell calls what can neither fail nor wait: it is told something.
func (d *Doctor) Tell(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, tell := range d.tells {
		tell(what) // ok
	}
	for _, c := range d.checks {
		_ = c.Name() // ok
	}
}

// Copied calls what it has copied under the lock.
func (d *Doctor) Copied() error {
	d.mu.Lock()
	hooks := append([]func() error(nil), d.hooks...)
	d.mu.Unlock()
	for _, hook := range hooks {
		if err := hook(); err != nil { // ok: the lock is gone
			return err
		}
	}
	return nil
}

// Handed calls what it was given for this one call.
func (d *Doctor) Handed(hooks []func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return hooks[0]() // ok: it does not belong to the object
}

// Second holds the lock of the part only, and calls what belongs to the whole.
func (d *Doctor) Second() error {
	d.parts.mu.Lock()
	defer d.parts.mu.Unlock()
	return d.hooks[0]() // ok: that lock does not guard it
}

// Single calls what there is one of: a field that is set once is a part of the object rather than a guest.
func (d *Doctor) Single() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.first() // ok
}

// Known calls what only this package puts there.
func (d *Doctor) Known() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.own[0]() // ok: the function is in sight
}

// Keyed holds the lock of one element of a map, which is there for slow work.
func (d *Doctor) Keyed(name string) error {
	d.rooms[name].mu.Lock()
	defer d.rooms[name].mu.Unlock()
	return d.rooms[name].hooks[0]() // ok
}

// Unrelated holds no lock at all.
func (d *Doctor) Unrelated() error {
	return d.hooks[0]() // ok
}
