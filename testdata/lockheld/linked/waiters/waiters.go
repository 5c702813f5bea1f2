// Package waiters has listeners, and does not know who calls them.
package waiters

import (
	"time"

	"k8s.io/client-go/tools/cache"
)

// Waiter waits for its cache.
type Waiter struct {
	Informer cache.SharedIndexInformer
	Stop     <-chan struct{}
}

// Changed waits.
func (w *Waiter) Changed(string) {
	cache.WaitForCacheSync(w.Stop, w.Informer.HasSynced)
}

// Seen only sleeps.
func (w *Waiter) Seen(string) { time.Sleep(time.Millisecond) }

// Refresh is a hook that waits.
func (w *Waiter) Refresh(string) { w.wait() }

func (w *Waiter) wait() {
	cache.WaitForCacheSync(w.Stop, w.Informer.HasSynced)
}
