// Package agent has agents that work on a goroutine of their own, by methods that others could call as well.
package agent

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

// An Agent is one of the program.
type Agent struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

var agent *Agent

// Run starts the agent.
func Run(stop chan struct{}, synced cache.InformerSynced) {
	agent = &Agent{stop: stop, synced: synced}
	go agent.Work()
	<-stop
}

// Work is called here alone.
func (a *Agent) Work() { a.Sync() }

// Sync is called here alone, too.
func (a *Agent) Sync() {
	a.mu.Lock()
	defer a.mu.Unlock()
	cache.WaitForCacheSync(a.stop, a.synced) // ok
}

// A Called is one that others call as well.
type Called struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

// New starts it.
func New(stop chan struct{}, synced cache.InformerSynced) *Called {
	c := &Called{stop: stop, synced: synced}
	go c.Sync()
	return c
}

// Sync is called by the command.
func (c *Called) Sync() {
	c.mu.Lock()
	defer c.mu.Unlock()
	cache.WaitForCacheSync(c.stop, c.synced) // want blocking/possible "c.mu (locked at line 52) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @52 "c.mu is locked here"
}

// A Hidden is called through an interface.
type Hidden struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

// Syncer is what the command sees of it.
type Syncer interface{ Sync() }

// NewHidden starts it.
func NewHidden(stop chan struct{}, synced cache.InformerSynced) Syncer {
	h := &Hidden{stop: stop, synced: synced}
	go h.Sync()
	return h
}

// Sync is called by the command.
func (h *Hidden) Sync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	cache.WaitForCacheSync(h.stop, h.synced) // want blocking/possible "h.mu (locked at line 76) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @76 "h.mu is locked here"
}
