// Package followed keeps stop channels and contexts in fields, package variables and closures before it waits.
package followed

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type endless struct {
	stop   chan struct{}
	ctx    context.Context
	synced cache.InformerSynced
}

func newEndless(synced cache.InformerSynced) *endless {
	return &endless{stop: make(chan struct{}), ctx: context.Background(), synced: synced}
}

func (e *endless) channel() bool {
	return cache.WaitForCacheSync(e.stop, e.synced) // want neverstops "cache.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @23 "nothing closes its stop channel"
}

func (e *endless) within(ctx context.Context) bool {
	return e.channel() && ctx.Err() == nil // ok: told where it waits
}

func (e *endless) context(c crcache.Cache) bool {
	return c.WaitForCacheSync(e.ctx) // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @23 "context.Background() is never done"
}

type forgotten struct {
	stop   chan struct{}
	synced cache.InformerSynced
}

func newForgotten(synced cache.InformerSynced) *forgotten { return &forgotten{synced: synced} }

func (f *forgotten) wait() bool {
	return cache.WaitForCacheSync(f.stop, f.synced) // want neverstops "cache.WaitForCacheSync has no timeout: stop is never set, and a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown" @46 "stop is never set, and a nil channel is never ready"
}

type closable struct {
	stop   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	synced cache.InformerSynced
}

func newClosable(synced cache.InformerSynced) *closable {
	ctx, cancel := context.WithCancel(context.Background())
	return &closable{stop: make(chan struct{}), ctx: ctx, cancel: cancel, synced: synced}
}

func (c *closable) wait(all crcache.Cache) bool {
	return cache.WaitForCacheSync(c.stop, c.synced) && // ok: close ends it
		all.WaitForCacheSync(c.ctx) // ok: close cancels it
}

func (c *closable) close() {
	close(c.stop)
	c.cancel()
}

// Open has a field that code elsewhere can fill.
type Open struct{ Stop chan struct{} }

func (o *Open) wait(synced cache.InformerSynced) bool {
	return cache.WaitForCacheSync(o.Stop, synced) // ok: whoever made it may close it
}

func open() *Open { return &Open{Stop: make(chan struct{})} }

func (e *endless) started(f informers.SharedInformerFactory) { f.Start(e.stop) } // no way to close it

var (
	background = context.Background()
	never      = make(chan struct{})
	shutdown   = make(chan struct{})
)

func globals(c crcache.Cache, synced cache.InformerSynced) {
	c.WaitForCacheSync(background)           // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @83 "context.Background() is never done"
	cache.WaitForCacheSync(never, synced)    // want neverstops "cache.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @84 "nothing closes its stop channel"
	cache.WaitForCacheSync(shutdown, synced) // ok: stopAll closes it
}

func stopAll() { close(shutdown) }

func fresh() context.Context { return klog.NewContext(context.Background(), klog.Background()) }

func named(name string) context.Context {
	if name == "" {
		return context.TODO()
	}
	return fresh()
}

func through(ctx context.Context) context.Context { return klog.NewContext(ctx, klog.Background()) }

func minute() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	time.AfterFunc(time.Minute, cancel)
	return ctx
}

func results(c crcache.Cache, ctx context.Context) {
	c.WaitForCacheSync(fresh())                       // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @96 "context.Background() is never done"
	c.WaitForCacheSync(named("pods"))                 // want neverstops "c.WaitForCacheSync has no timeout: context.TODO() is never done, so it hangs while the API server is down; pass a context that ends" @100 "context.TODO() is never done"
	c.WaitForCacheSync(through(context.Background())) // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @116 "context.Background() is never done"
	c.WaitForCacheSync(through(ctx))                  // ok: the caller's
	c.WaitForCacheSync(minute())                      // ok: a deadline
}

func closures(c crcache.Cache, synced cache.InformerSynced) {
	ctx := context.Background()
	stop := make(chan struct{})
	run := func() bool {
		return c.WaitForCacheSync(ctx) && // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @122 "context.Background() is never done"
			cache.WaitForCacheSync(stop, synced) // want neverstops "cache.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @123 "nothing closes its stop channel"
	}
	run()
}

// before keeps what comes next in its goroutine.
func before(c crcache.Cache, work func()) {
	go func() {
		c.WaitForCacheSync(context.Background()) // want neverstops "c.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @134 "context.Background() is never done"
		work()
	}()
}

// oneRound asks once: each way out of its condition ends the poll.
func oneRound(ask func() error) error {
	return wait.PollUntilContextCancel(context.Background(), time.Second, true, func(context.Context) (bool, error) { // ok
		if err := ask(); err != nil {
			return false, err
		}
		return true, nil
	})
}

// rounds asks again.
func rounds(_ context.Context, ask func() error) error {
	return wait.PollUntilContextCancel(context.Background(), time.Second, true, func(context.Context) (bool, error) { // want neverstops "wait.PollUntilContextCancel may wait forever for its condition to hold: context.Background() is never done; pass a context that ends" @151 "context.Background() is never done"
		if err := ask(); err != nil {
			return false, nil
		}
		return true, nil
	})
}

type again struct{}

// Reconcile comes to all of them for each request.
func (again) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	_ = []any{newEndless, (*endless).channel, (*endless).within, (*endless).context, newForgotten, (*forgotten).wait, newClosable, (*closable).wait, (*closable).close, (*Open).wait, open, (*endless).started, globals, stopAll, fresh, named, through, minute, results, closures, before, oneRound, rounds}
	return reconcile.Result{}, nil
}
