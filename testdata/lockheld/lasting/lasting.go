// Package lasting signals, with a lock held, to what takes one signal and leaves.
package lasting

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Monitors are stopped by one value each.
type Monitors struct {
	mu    sync.Mutex
	stops map[string]chan struct{}
}

// Begin starts a monitor.
func (m *Monitors) Begin(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stop := make(chan struct{}, 1)
	m.stops[name] = stop
	go wait.Until(func() {}, time.Second, stop)
}

// End may be called more than once before the monitor is forgotten.
func (m *Monitors) End(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stop, ok := m.stops[name]
	if !ok {
		return
	}
	stop <- struct{}{} // want blocking/possible "m.mu (locked at line 28) is held across the send to m.stops[name], which blocks forever once its receiver (*Monitors).Begin at lasting.go:23 has exited; unlock first" @28 "m.mu is locked here" @23 "the receiver can exit here"
}

// Forget forgets a monitor.
func (m *Monitors) Forget(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.stops, name)
}

// Watchers are stopped by closing.
type Watchers struct {
	mu    sync.Mutex
	stops map[string]chan struct{}
}

// Begin starts a watcher.
func (w *Watchers) Begin(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	stop := make(chan struct{})
	w.stops[name] = stop
	go wait.Until(func() {}, time.Second, stop)
}

// End closes.
func (w *Watchers) End(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stop, ok := w.stops[name]; ok {
		close(stop) // ok: it does not wait
		delete(w.stops, name)
	}
}
