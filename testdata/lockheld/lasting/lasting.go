// Package lasting holds locks until the work is told to stop, or signals to what takes one signal and leaves.
package lasting

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Controller is started once.
type Controller struct {
	mu      sync.Mutex
	started bool
}

// Watch needs the lock.
func (c *Controller) Watch() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.started
}

// Start keeps the lock for as long as the controller runs.
func (c *Controller) Start(stop <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = true
	<-stop // want blocking/possible "c.mu (locked at line 26) is held across the receive from stop, which blocks until the caller stops it: (*Controller).Watch cannot acquire the lock until then; unlock first" @26 "c.mu is locked here"
}

// Server gives the lock back before it waits.
type Server struct {
	mu      sync.Mutex
	started bool
}

// Started needs the lock.
func (s *Server) Started() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// Start waits without the lock.
func (s *Server) Start(stop <-chan struct{}) {
	s.mu.Lock()
	s.started = true
	s.mu.Unlock()
	<-stop // ok: nothing held
}

// Single may run once at a time, and that is all that its lock is for.
type Single struct{ running sync.Mutex }

// Run keeps others from running.
func (s *Single) Run(stop <-chan struct{}) {
	s.running.Lock()
	defer s.running.Unlock()
	<-stop // ok: only those wait who want to run
}

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
	stop <- struct{}{} // want blocking/possible "m.mu (locked at line 80) is held across the send to m.stops[name], which blocks forever once its receiver (*Monitors).Begin at lasting.go:75 has exited; unlock first" @80 "m.mu is locked here" @75 "the receiver can exit here"
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
