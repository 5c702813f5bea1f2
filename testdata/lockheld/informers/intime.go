package informers

import (
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
)

type monitor struct {
	mu     sync.Mutex
	synced cache.InformerSynced
}

// awaitForAWhile is over after a time.
func (m *monitor) awaitForAWhile(stop <-chan struct{}, period time.Duration) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cache.WaitForCacheSync(stopOrTimeout(stop, period), m.synced) // ok: it is closed after the period
}

func stopOrTimeout(stop <-chan struct{}, period time.Duration) <-chan struct{} {
	either := make(chan struct{})
	go func() {
		defer close(either)
		select {
		case <-stop:
		case <-time.After(period):
		}
	}()
	return either
}

// awaitStop ends only when somebody wants it to.
func (m *monitor) awaitStop(stop, quit <-chan struct{}) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return cache.WaitForCacheSync(either(stop, quit), m.synced) // want blocking/possible "m.mu (locked at line 36) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @36 "m.mu is locked here"
}

func either(stop, quit <-chan struct{}) <-chan struct{} {
	one := make(chan struct{})
	go func() {
		defer close(one)
		select {
		case <-stop:
		case <-quit:
		}
	}()
	return one
}
