// Package alone has locks that one goroutine takes, at one place, and others like them.
package alone

import (
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
)

type worker struct {
	mu      sync.Mutex
	stop    chan struct{}
	synced  cache.InformerSynced
	domains []string
}

// Start has one goroutine for each worker that it makes.
func Start(stop chan struct{}, synced cache.InformerSynced) {
	w := &worker{stop: stop, synced: synced}
	go w.loop()
}

func (w *worker) loop() {
	for {
		w.each()
		time.Sleep(time.Minute)
	}
}

func (w *worker) each() {
	for range w.domains {
		func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			cache.WaitForCacheSync(w.stop, w.synced) // ok: nobody else wants the lock
		}()
	}
}

// A pool has several goroutines.
type pool struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

func StartPool(stop chan struct{}, synced cache.InformerSynced) {
	p := &pool{stop: stop, synced: synced}
	for range 3 {
		go p.loop()
	}
}

func (p *pool) loop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	cache.WaitForCacheSync(p.stop, p.synced) // want blocking/possible "p.mu (locked at line 56) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @56 "p.mu is locked here"
}

// A shop has one more for each call.
type shop struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

var open = &shop{}

func Sell() { go open.sell() }

func (s *shop) sell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	cache.WaitForCacheSync(s.stop, s.synced) // want blocking/possible "s.mu (locked at line 73) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @73 "s.mu is locked here"
}

// A pair has two places.
type pair struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

func StartPair(stop chan struct{}, synced cache.InformerSynced) *pair {
	p := &pair{stop: stop, synced: synced}
	go p.loop()
	return p
}

func (p *pair) loop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	cache.WaitForCacheSync(p.stop, p.synced) // want blocking/possible "p.mu (locked at line 92) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @92 "p.mu is locked here"
}

func (p *pair) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.stop)
}

// A lent gives its lock to others.
type lent struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
}

func StartLent(stop chan struct{}, synced cache.InformerSynced) sync.Locker {
	l := &lent{stop: stop, synced: synced}
	go l.loop()
	return &l.mu
}

func (l *lent) loop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	cache.WaitForCacheSync(l.stop, l.synced) // want blocking/possible "l.mu (locked at line 117) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @117 "l.mu is locked here"
}

// A twin takes the lock of another object.
type twin struct {
	mu     sync.Mutex
	stop   chan struct{}
	synced cache.InformerSynced
	other  *twin
}

func StartTwins(stop chan struct{}, synced cache.InformerSynced, other *twin) *twin {
	t := &twin{stop: stop, synced: synced, other: other}
	go t.loop()
	return t
}

func (t *twin) loop() { t.other.wait() }

func (t *twin) wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	cache.WaitForCacheSync(t.stop, t.synced) // want blocking/possible "t.mu (locked at line 139) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @139 "t.mu is locked here"
}
