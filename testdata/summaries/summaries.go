// Package summaries holds functions whose summaries (facts of the lock analysis) are checked.
package summaries

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type box struct {
	mu  sync.Mutex
	syn cache.InformerSynced
	rec func()
}

func (b *box) lock()   { b.mu.Lock() }   // want lock:"acquired(.mu)"
func (b *box) unlock() { b.mu.Unlock() } // want unlock:"released(.mu)"

func (b *box) both() { // want both:""
	b.lock()
	defer b.unlock()
}

// ok: no fact, for the caller chooses whether it locks.
func (b *box) sometimes(x bool) {
	if x {
		b.lock()
	}
}

func (b *box) wait(stop chan struct{}) { // want wait:"blocks(cache.WaitForCacheSync)"
	cache.WaitForCacheSync(stop, b.syn)
}

func (b *box) deep(stop chan struct{}) { // want deep:"blocks(cache.WaitForCacheSync)"
	b.wait(stop)
}

func even(b *box, n int, stop chan struct{}) { // want even:"blocks(cache.WaitForCacheSync)"
	if n > 0 {
		odd(b, n-1, stop)
	}
}

func odd(b *box, n int, stop chan struct{}) { // want odd:"blocks(cache.WaitForCacheSync)"
	b.wait(stop)
	even(b, n-1, stop)
}

func nothing(n int) int { return n + 1 }
