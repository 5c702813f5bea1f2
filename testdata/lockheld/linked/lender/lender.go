// Package lender lends its locks to helpers.
package lender

import (
	"sync"

	"k8s.io/client-go/tools/cache"

	"example.com/operators/lockheld/linked/locking"
)

// A Lender has locks of several kinds.
type Lender struct {
	mu     sync.Mutex
	own    locking.Mutex
	synced cache.InformerSynced
	stop   chan struct{}
	n      int
}

// Borrow waits for caches with a lock that a helper holds.
func (l *Lender) Borrow() {
	locking.With(&l.mu, func() { // want blocking/possible "l.mu (locked by With) is held across cache.WaitForCacheSync (lender.go:24, via the function literal), which may block forever waiting for the API server; unlock first" @23 "l.mu is locked by With (locking.go:10)" @23 "calls the function literal" @24 "blocks here"
		cache.WaitForCacheSync(l.stop, l.synced)
	})
}

// Count needs it as well.
func (l *Lender) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// Again takes the lock that the helper holds.
func (l *Lender) Again() {
	locking.With(&l.mu, func() { // want relock/certain "l.mu (locked by With) is locked again (lender.go:30, via the function literal, (*Lender).Count), which deadlocks; unlock first, or call a variant that does not lock" @37 "l.mu is locked by With (locking.go:10)" @37 "calls the function literal" @38 "calls (*Lender).Count" @30 "second acquisition"
		l.n = l.Count()
	})
}

// Wrapped waits with a lock of another package's type.
func (l *Lender) Wrapped() {
	l.own.Lock()
	defer l.own.Unlock()
	cache.WaitForCacheSync(l.stop, l.synced) // want blocking/possible "l.own.mu (locked at line 44) is held across cache.WaitForCacheSync, which may block forever waiting for the API server; unlock first" @44 "l.own.mu is locked here"
}

// Twice takes it twice.
func (l *Lender) Twice() {
	l.own.Lock()
	defer l.own.Unlock()
	l.once() // want relock/certain "l.own.mu (locked at line 51) is locked again (locking.go:17, via (*Lender).once, (*Mutex).Lock), which deadlocks; unlock first, or call a variant that does not lock" @51 "l.own.mu is locked here" @53 "calls (*Lender).once" @57 "calls (*Mutex).Lock" @locking.go:17 "second acquisition"
}

func (l *Lender) once() {
	l.own.Lock()
	defer l.own.Unlock()
	l.n++
}

// Brief has nothing that waits.
func (l *Lender) Brief() {
	locking.With(&l.mu, func() { l.n++ })
}

// Local hands a lock of its own to helpers: two goroutines share it.
func Local(work []func(), results chan int) int {
	var mu sync.Mutex
	n := 0
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		n++
	}
	for _, w := range work {
		go func() {
			w()
			locking.With(&mu, func() { // want relock/certain "mu (locked by With) is locked again (lender.go:72, via the function literal, the function literal), which deadlocks; unlock first, or call a variant that does not lock" @79 "mu is locked by With (locking.go:10)" @79 "calls the function literal" @80 "calls the function literal" @72 "second acquisition"
				add()
			})
		}()
	}
	return <-results
}

// Shared sends with a lock that the receiver takes first.
func Shared(work []func()) int {
	var mu sync.Mutex
	results := make(chan int)
	for _, w := range work {
		go func() {
			w()
			mu.Lock()
			defer mu.Unlock()
			results <- 1
		}()
	}
	n := 0
	for range work {
		locking.With(&mu, func() { n += <-results }) // want blocking/certain "mu (locked by With) is held across the receive from a chan int (lender.go:101, via the function literal), which deadlocks: Shared at lender.go:94 needs the same lock to unblock it; unlock first" @101 "mu is locked by With (locking.go:10)" @101 "calls the function literal" @101 "blocks here" @94 "Shared needs the same lock here" @96 "and ends the wait only here"
	}
	return n
}
