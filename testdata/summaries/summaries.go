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

func (b *box) lock()   { b.mu.Lock() }   // want lock:"has locked p0.mu; locks p0.mu"
func (b *box) unlock() { b.mu.Unlock() } // want unlock:"has unlocked p0.mu"

func (b *box) both() { // want both:"locks p0.mu through (*box).lock"
	b.lock()
	defer b.unlock()
}

// ok: it leaves no lock behind, but the caller chooses whether it locks, and does not know what it has then.
func (b *box) sometimes(x bool) { // want sometimes:"locks p0.mu if p1 == true through (*box).lock"
	if x {
		b.lock()
	}
}

func (b *box) wait(stop chan struct{}) { // want wait:"waits for cache.WaitForCacheSync until p1"
	cache.WaitForCacheSync(stop, b.syn)
}

func (b *box) deep(stop chan struct{}) { // want deep:"waits for cache.WaitForCacheSync until p1 through (*box).wait"
	b.wait(stop)
}

func even(b *box, n int, stop chan struct{}) { // want even:"waits for cache.WaitForCacheSync until p2 through odd, (*box).wait"
	if n > 0 {
		odd(b, n-1, stop)
	}
}

func odd(b *box, n int, stop chan struct{}) { // want odd:"waits for cache.WaitForCacheSync until p2 through (*box).wait"
	b.wait(stop)
	even(b, n-1, stop)
}

func nothing(n int) int { return n + 1 }
