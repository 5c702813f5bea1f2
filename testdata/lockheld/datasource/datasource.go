// Package datasource keeps one informer factory a cluster, and is the pattern that the rule is named after: a lock that
// is held until a cluster answers.
package datasource

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

// Source serves pods of many clusters.
type Source struct {
	sync.RWMutex

	clusters map[string]informers.SharedInformerFactory
	stop     chan struct{}
}

// Manager is the seed: the embedded lock is held for writing while the caches of one cluster sync, and nobody can ever
// stop that wait.
func (s *Source) Manager(name string, c kubernetes.Interface) informers.SharedInformerFactory { // want Manager:"locks p0.RWMutex; waits for f.WaitForCacheSync forever"
	s.Lock()
	defer s.Unlock()
	if f, ok := s.clusters[name]; ok {
		return f
	}
	f := informers.NewSharedInformerFactory(c, time.Hour)
	f.Core().V1().Pods().Informer()
	stop := make(chan struct{})
	f.Start(stop)
	f.WaitForCacheSync(stop) // want blocking/possible "s.RWMutex (locked at line 28) is held across f.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @28 "s.RWMutex is locked here"
	s.clusters[name] = f
	return f
}

// ManagerBefore waits first and locks afterwards.
func (s *Source) ManagerBefore(name string, c kubernetes.Interface) {
	f := informers.NewSharedInformerFactory(c, time.Hour)
	f.Start(s.stop)
	f.WaitForCacheSync(s.stop) // ok: nothing is held yet
	s.Lock()
	defer s.Unlock()
	s.clusters[name] = f
}

// Bounded gives the wait a deadline.
func (s *Source) Bounded(ctx context.Context, informer cache.SharedIndexInformer) error {
	s.Lock()
	defer s.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) { // ok: the deadline ends it
		return fmt.Errorf("no sync")
	}
	return nil
}

// ByParameter depends on the caller's context, which lives as long as the process.
func (s *Source) ByParameter(ctx context.Context, c crcache.Cache) {
	s.Lock()
	c.WaitForCacheSync(ctx) // want blocking/possible "s.RWMutex (locked at line 66) is held across c.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @66 "s.RWMutex is locked here"
	s.Unlock()
	c.WaitForCacheSync(ctx) // ok: unlocked
}

// Reader blocks the next writer, and so everybody.
func (s *Source) Reader(informer cache.SharedIndexInformer) {
	s.RLock()
	defer s.RUnlock()
	cache.WaitForCacheSync(s.stop, informer.HasSynced) // want blocking/possible "s.RWMutex (read-locked at line 74) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @74 "s.RWMutex is read-locked here"
}

// Spawned starts the wait and returns.
func (s *Source) Spawned(informer cache.SharedIndexInformer) {
	s.Lock()
	defer s.Unlock()
	go cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: a goroutine holds no lock
	go func() {
		cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: a goroutine holds no lock
	}()
}

// InPlace is called before the function goes on.
func (s *Source) InPlace(informer cache.SharedIndexInformer) {
	var once sync.Once
	s.Lock()
	defer s.Unlock()
	once.Do(func() { // want blocking/possible "s.RWMutex (locked at line 92) is held across cache.WaitForCacheSync (datasource.go:95, via the function literal), which may block forever waiting for the API server; unlock first" @92 "s.RWMutex is locked here" @94 "calls the function literal" @95 "blocks here"
		cache.WaitForCacheSync(s.stop, informer.HasSynced)
	})
}

// Literal unlocks inside a literal that is called in place.
func (s *Source) Literal(informer cache.SharedIndexInformer) {
	func() {
		s.Lock()
		defer s.Unlock()
		s.clusters = nil
	}()
	cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: the literal has unlocked
}

// Early unlocks on every path to the wait.
func (s *Source) Early(name string, informer cache.SharedIndexInformer) {
	s.Lock()
	if _, ok := s.clusters[name]; ok {
		s.Unlock()
		return
	}
	s.Unlock()
	cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: unlocked on both ways
}

// Flag locks and unlocks under one condition.
func (s *Source) Flag(lock bool, informer cache.SharedIndexInformer) { // want Flag:"locks p0.RWMutex if p1 == true; waits for cache.WaitForCacheSync, which others may end"
	if lock {
		s.Lock()
	}
	s.clusters = nil
	if lock {
		s.Unlock()
	}
	cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: the same condition unlocks
}

// PerKey holds the lock of one cluster while that cluster is set up: that is what it is for.
func PerKey(locks map[string]*sync.Mutex, name string, stop chan struct{}, informer cache.SharedIndexInformer) {
	locks[name].Lock()
	defer locks[name].Unlock()
	cache.WaitForCacheSync(stop, informer.HasSynced) // ok: the lock of one key
}

// Try holds the lock where TryLock gave true.
func (s *Source) Try(informer cache.SharedIndexInformer) {
	if !s.TryLock() {
		cache.WaitForCacheSync(s.stop, informer.HasSynced) // ok: not held here
		return
	}
	defer s.Unlock()
	cache.WaitForCacheSync(s.stop, informer.HasSynced) // want blocking/possible "s.RWMutex (locked at line 141) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @141 "s.RWMutex is locked here"
}
