package guarded

import (
	"context"
	"sync"

	ctrl "sigs.k8s.io/controller-runtime"
)

// syncer is run by a manager until that ends, and the process with it.
type syncer struct {
	events chan string
}

// SetupWithManager has the manager run it.
func (s *syncer) SetupWithManager(mgr ctrl.Manager) error {
	s.events = make(chan string)
	return mgr.Add(s)
}

// Start receives until the manager ends.
func (s *syncer) Start(ctx context.Context) error {
	for {
		select {
		case e := <-s.events:
			println(e)
		case <-ctx.Done():
			return nil
		}
	}
}

// accounts tell the syncer with their lock held.
type accounts struct {
	mu    sync.Mutex
	known map[string]bool
	sync  *syncer
}

func (a *accounts) forget(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, name)
	a.sync.events <- name
}

func (a *accounts) knows(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[name]
}

// ownSyncer is run by whoever makes it, until that one has enough of it.
type ownSyncer struct {
	events chan string
}

func newOwnSyncer() *ownSyncer { return &ownSyncer{events: make(chan string)} }

// Start receives until it is told to end.
func (s *ownSyncer) Start(ctx context.Context) error {
	for {
		select {
		case e := <-s.events:
			println(e)
		case <-ctx.Done():
			return nil
		}
	}
}

// tenants tell the syncer of theirs with their lock held.
type tenants struct {
	mu    sync.Mutex
	known map[string]bool
	sync  *ownSyncer
}

func (t *tenants) run(ctx context.Context) {
	t.sync = newOwnSyncer()
	go func() { _ = t.sync.Start(ctx) }()
}

func (t *tenants) forget(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.known, name)
	t.sync.events <- name // want blocking/possible "t.mu (locked at line 85) is held across the send to t.sync.events, which blocks forever once its receiver (*ownSyncer).Start at managed.go:63 has exited; unlock first" @85 "t.mu is locked here" @63 "the receiver can exit here"
}

func (t *tenants) knows(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known[name]
}
