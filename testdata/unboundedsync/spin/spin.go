// Package spin asks caches in loops whether they have synced.
package spin

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type controller struct {
	life     context.Context
	informer cache.SharedIndexInformer
	others   []cache.SharedIndexInformer
}

func (c *controller) busy(stop <-chan struct{}) {
	go c.informer.Run(stop)
	for !c.informer.HasSynced() { // want neverstops "this loop on c.informer.HasSynced never checks stop: it never ends while the API server is down; return when it is closed" @18 "stop is declared here"
	}
}

func (c *controller) sleepy() {
	for {
		if c.informer.HasSynced() { // want neverstops "this loop on c.informer.HasSynced has no timeout or stop condition: it never ends while the API server is down; use cache.WaitForCacheSync with a context"
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (c *controller) both(synced, other cache.InformerSynced) {
	for !synced() || !other() { // want neverstops "this loop on synced and other has no timeout or stop condition: it never ends while the API server is down; use cache.WaitForCacheSync with a context"
		time.Sleep(time.Second)
	}
}

func (c *controller) heeded(stop <-chan struct{}) {
	for !c.informer.HasSynced() { // ok: it leaves when stop is closed
		select {
		case <-stop:
			return
		case <-time.After(time.Second):
		}
	}
}

func (c *controller) counted() {
	for range 10 {
		if c.informer.HasSynced() { // ok: ten times
			break
		}
		time.Sleep(time.Second)
	}
}

func (c *controller) timed(deadline time.Time) {
	for !c.informer.HasSynced() && time.Now().Before(deadline) { // ok: a deadline
		time.Sleep(time.Second)
	}
}

func (c *controller) all() bool {
	for _, o := range c.others {
		if !o.HasSynced() { // ok: one question each
			return false
		}
	}
	return true
}

func (c *controller) allSynced() bool {
	for _, o := range c.others {
		if !o.HasSynced() {
			return false
		}
	}
	return true
}

func (c *controller) every(stop <-chan struct{}) {
	for !c.allSynced() { // want neverstops "this loop on c.allSynced never checks stop: it never ends while the API server is down; return when it is closed" @82 "stop is declared here"
		time.Sleep(time.Second)
	}
}

func (c *controller) allOr(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return c.informer.HasSynced()
	}
}

func (c *controller) allHeeded(stop <-chan struct{}) {
	for !c.allOr(stop) { // ok: the question is also one for stop
		time.Sleep(time.Second)
	}
}

func ready(turn int, informer cache.SharedIndexInformer) bool {
	return turn > 600 || informer.HasSynced()
}

func (c *controller) tenMinutes() {
	for i := 0; !ready(i, c.informer); i++ { // ok: the turns are counted
		time.Sleep(time.Second)
	}
}

// announced tells others, who wait with a bound of their own.
func (c *controller) announced() <-chan struct{} {
	ready := make(chan struct{})
	go func() {
		for !c.informer.HasSynced() { // ok
			time.Sleep(time.Second)
		}
		close(ready)
	}()
	return ready
}

func (c *controller) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	select {
	case <-c.announced():
	case <-time.After(time.Minute):
	}
	return reconcile.Result{}, nil
}

// patient is given nothing that could end it, and nobody is known to come again.
func patient(synced cache.InformerSynced) {
	for !synced() { // ok
		time.Sleep(time.Second)
	}
}

var _ = patient
