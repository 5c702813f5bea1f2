// Package sealed waits on channels and contexts that can be ended, but by nobody who gets to it before the wait is over.
package sealed

import (
	"context"
	"os"
	"os/signal"
	"reflect"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

type controller struct {
	stop    chan struct{}
	updates chan string
	cancel  context.CancelFunc
	synced  map[string]bool
}

func (c *controller) close() { close(c.stop) }

func (c *controller) update(obj any) {
	if name, ok := obj.(string); ok {
		c.updates <- name
	}
}

func newController(f informers.SharedInformerFactory) (*controller, error) {
	c := &controller{stop: make(chan struct{}), updates: make(chan string)}
	if _, err := f.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { c.update(obj) },
	}); err != nil {
		return nil, err
	}
	f.Start(c.stop)
	f.WaitForCacheSync(c.stop) // want neverstops "f.WaitForCacheSync waits for an API server to answer and cannot be stopped: nobody can close the channel that is made here before the wait is over" @32 "nobody can close the channel that is made here before the wait is over"
	return c, nil
}

func newStopping(f informers.SharedInformerFactory) (*controller, error) {
	c := &controller{stop: make(chan struct{})}
	if _, err := f.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(any) { c.close() },
	}); err != nil {
		return nil, err
	}
	f.Start(c.stop)
	synced := f.WaitForCacheSync(c.stop) // ok: the handler may close it
	c.synced = map[string]bool{"all": len(synced) > 0}
	return c, nil
}

func newShared(f informers.SharedInformerFactory, all map[string]*controller) *controller {
	c := &controller{stop: make(chan struct{})}
	all["one"] = c
	f.Start(c.stop)
	f.WaitForCacheSync(c.stop) // ok: whoever has the map may close it
	return c
}

func newLate(f informers.SharedInformerFactory, all map[string]*controller) *controller {
	c := &controller{stop: make(chan struct{})}
	f.Start(c.stop)
	f.WaitForCacheSync(c.stop) // want neverstops "f.WaitForCacheSync waits for an API server to answer and cannot be stopped: nobody can close the channel that is made here before the wait is over" @65 "nobody can close the channel that is made here before the wait is over"
	all["one"] = c
	return c
}

func local(f informers.SharedInformerFactory) (cache.SharedIndexInformer, chan struct{}) {
	stop := make(chan struct{})
	f.Start(stop)
	f.WaitForCacheSync(stop) // want neverstops "f.WaitForCacheSync waits for an API server to answer and cannot be stopped: nothing closes the channel that is made here" @73 "nothing closes the channel that is made here"
	return f.Core().V1().Nodes().Informer(), stop
}

func onSignal(f informers.SharedInformerFactory) {
	stop := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
		close(stop)
	}()
	f.Start(stop)
	f.WaitForCacheSync(stop) // ok: the signal closes it
}

func onTimeout(f informers.SharedInformerFactory) {
	stop := make(chan struct{})
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-time.After(time.Minute):
			close(stop)
		case <-done:
		}
	}()
	f.Start(stop)
	f.WaitForCacheSync(stop) // ok: closed after a minute
}

func newCancelled(c crcache.Cache) *controller {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = c.Start(ctx) }()
	c.WaitForCacheSync(ctx) // want neverstops "c.WaitForCacheSync waits for an API server to answer and cannot be stopped: context.Background() never ends" @107 "context.Background() never ends"
	return &controller{cancel: cancel}
}

func newOnError(c crcache.Cache) *controller {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		if c.Start(ctx) != nil {
			cancel()
		}
	}()
	c.WaitForCacheSync(ctx) // ok: cancelled where the cache cannot run
	return &controller{cancel: cancel}
}

func (c *controller) begin(all crcache.Cache) {
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(context.Background())
	all.WaitForCacheSync(ctx) // ok: others have c already
}

func (c *controller) end() { c.cancel() }

// newAfterAWhile has a goroutine that closes the channel when it returns, which is before the wait is over.
func newAfterAWhile(ctx context.Context, f informers.SharedInformerFactory) map[reflect.Type]bool {
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		<-ctx.Done()
	}()
	return f.WaitForCacheSync(stop) // ok: closed when ctx ends
}

// newInATurn does so in a function that is deferred.
func newInATurn(ctx context.Context, f informers.SharedInformerFactory) map[reflect.Type]bool {
	stop := make(chan struct{})
	go func() {
		defer func() { close(stop) }()
		<-ctx.Done()
	}()
	return f.WaitForCacheSync(stop) // ok: closed when ctx ends
}
