package datasource

import (
	"sync"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// A Fleet can be reset, in theory.
type Fleet struct {
	mu   sync.RWMutex
	stop chan struct{}
}

// Add waits with the lock read-locked. Only Reset could stop that, and it wants the lock for writing.
func (f *Fleet) Add(c kubernetes.Interface) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	factory := informers.NewSharedInformerFactory(c, time.Hour)
	factory.Start(f.stop)
	factory.WaitForCacheSync(f.stop) // want blocking/certain "f.mu (read-locked at line 19) is held across factory.WaitForCacheSync, which may block forever waiting for the API server: (*Fleet).Reset at stop.go:28 needs the same lock to close the stop channel; unlock first" @19 "f.mu is read-locked here" @28 "(*Fleet).Reset needs the same lock here" @30 "and ends the wait only here"
}

// Reset starts anew.
func (f *Fleet) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.stop)
	f.stop = make(chan struct{})
}

// A Pool can be stopped without its lock: the wait is no less unbounded.
type Pool struct {
	mu   sync.Mutex
	stop chan struct{}
}

// Add waits with the lock held.
func (p *Pool) Add(c kubernetes.Interface) {
	p.mu.Lock()
	defer p.mu.Unlock()
	factory := informers.NewSharedInformerFactory(c, time.Hour)
	factory.Start(p.stop)
	factory.WaitForCacheSync(p.stop) // want blocking/possible "p.mu (locked at line 42) is held across factory.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @42 "p.mu is locked here"
}

// Stop needs no lock.
func (p *Pool) Stop() { close(p.stop) }
