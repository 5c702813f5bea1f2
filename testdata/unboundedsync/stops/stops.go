// Package stops hands stop channels and contexts of every kind to waits for caches.
package stops

import (
	"context"
	"os"
	"os/signal"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func madeHere(f informers.SharedInformerFactory) {
	stop := make(chan struct{})
	f.Start(stop)
	f.WaitForCacheSync(stop) // want neverstops "f.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @19 "nothing closes its stop channel"
}

func deferredClose(f informers.SharedInformerFactory) {
	stop := make(chan struct{})
	defer close(stop)
	f.Start(stop)
	f.WaitForCacheSync(stop) // want neverstops "f.WaitForCacheSync has no timeout: nothing can close its stop channel before the wait ends, so it hangs while the API server is down; pass a channel that is closed on shutdown" @25 "nothing can close its stop channel before the wait ends"
}

func closedOnTimeout(f informers.SharedInformerFactory) {
	stop := make(chan struct{})
	go func() {
		time.Sleep(time.Minute)
		close(stop)
	}()
	f.Start(stop)
	f.WaitForCacheSync(stop) // ok: the goroutine closes it
}

func timer(synced cache.InformerSynced) {
	stop := make(chan struct{})
	time.AfterFunc(time.Minute, func() { close(stop) })
	cache.WaitForCacheSync(stop, synced) // ok: the timer closes it
}

func never(synced cache.InformerSynced) {
	cache.WaitForCacheSync(nil, synced)                         // want neverstops "cache.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
	cache.WaitForCacheSync(context.Background().Done(), synced) // want neverstops "cache.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass the Done channel of a context that ends" @49 "context.Background() is never done"
}

func contexts(c crcache.Cache) {
	c.WaitForCacheSync(context.TODO()) // want neverstops "c.WaitForCacheSync has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass a context that ends" @53 "context.TODO() is never done"

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.WaitForCacheSync(ctx) // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @55 "context.Background() is never done"

	type key struct{}
	c.WaitForCacheSync(context.WithValue(context.Background(), key{}, 1)) // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @60 "context.Background() is never done"

	bounded, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	c.WaitForCacheSync(bounded) // ok: a deadline

	again, end := context.WithCancel(context.Background())
	go func() {
		time.Sleep(time.Second)
		end()
	}()
	c.WaitForCacheSync(again) // ok: something cancels it
}

func process(c crcache.Cache) {
	c.WaitForCacheSync(ctrl.SetupSignalHandler()) // ok: the process ends it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c.WaitForCacheSync(ctx) // ok: the process ends it
}

type owner struct {
	stop chan struct{}
	ctx  context.Context
}

func newOwner(ctx context.Context, stop chan struct{}) *owner { return &owner{stop, ctx} }

func (o *owner) fields(c crcache.Cache, synced cache.InformerSynced) {
	cache.WaitForCacheSync(o.stop, synced) // ok: the owner closes it
	c.WaitForCacheSync(o.ctx)              // ok: the owner cancels it
}

func polls(ready func() bool) {
	_ = wait.PollImmediate(time.Second, time.Minute, func() (bool, error) { return true, nil }) // ok: a timeout
}

func choice(fast bool, synced cache.InformerSynced, given <-chan struct{}) {
	stop := wait.NeverStop
	if fast {
		stop = given
	}
	cache.WaitForCacheSync(stop, synced) // ok: one of the two may fire
}

type again struct{}

// Reconcile comes to all of them for each request.
func (again) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	_ = []any{madeHere, deferredClose, closedOnTimeout, timer, never, contexts, process, newOwner, (*owner).fields, polls, choice, retried, patient}
	return reconcile.Result{}, nil
}
