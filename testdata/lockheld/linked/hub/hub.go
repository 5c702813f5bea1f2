// Package hub tells listeners of other packages what happens, some of them with its lock held.
package hub

import "sync"

// A Listener is told of changes.
type Listener interface{ Changed(key string) }

// Hub has the listeners.
type Hub struct {
	mu        sync.Mutex
	listeners []Listener
	hooks     map[string]func(key string)
}

// Add adds a listener.
func (h *Hub) Add(l Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = append(h.listeners, l)
}

// Publish holds the lock while it calls.
func (h *Hub) Publish(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.listeners {
		l.Changed(key) // want blocking/possible "h.mu (locked at line 25) is held across cache.WaitForCacheSync (waiters.go:18, via (*Waiter).Changed), which may block forever waiting for the API server; unlock first" @25 "h.mu is locked here" @28 "calls (*Waiter).Changed" @waiters.go:18 "blocks here" @relay.go:27 "r.mu is held around it as well"
	}
}

// Hook keeps a function.
func (h *Hub) Hook(name string, f func(key string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hooks == nil {
		h.hooks = map[string]func(string){}
	}
	h.hooks[name] = f
}

// Run calls the hooks with the lock held.
func (h *Hub) Run(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.hooks {
		f(key) // want blocking/possible "h.mu (locked at line 44) is held across cache.WaitForCacheSync (waiters.go:28, via (*Waiter).Refresh, (*Waiter).wait), which may block forever waiting for the API server; unlock first" @44 "h.mu is locked here" @47 "calls (*Waiter).Refresh" @waiters.go:25 "calls (*Waiter).wait" @waiters.go:28 "blocks here"
	}
}

// Tell calls without the lock.
func (h *Hub) Tell(key string) {
	h.mu.Lock()
	all := append([]Listener(nil), h.listeners...)
	h.mu.Unlock()
	for _, l := range all {
		l.Changed(key)
	}
}

// A Quick listener never waits.
type Quick interface{ Seen(key string) }

// Board has quick listeners.
type Board struct {
	mu    sync.Mutex
	quick []Quick
}

// Add adds a listener.
func (b *Board) Add(q Quick) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.quick = append(b.quick, q)
}

// Show holds the lock while it calls what does not wait.
func (b *Board) Show(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.quick {
		q.Seen(key)
	}
}

// Muted is as Hub, and means it.
type Muted struct {
	mu        sync.Mutex
	listeners []Listener
}

// Publish holds the lock while it calls.
func (m *Muted) Publish(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.listeners {
		l.Changed(key) //lint:ignore ctrllint/lockheld the test wants it so
	}
}
