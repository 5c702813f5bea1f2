// Package goneby sends to goroutines that return for reasons of their own, too.
package goneby

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/workqueue"
)

// translated hands on the events of another watch.
type translated struct {
	inner watch.Interface
	out   chan watch.Event
	stop  chan struct{}
}

func newTranslated(inner watch.Interface) *translated {
	t := &translated{inner: inner, out: make(chan watch.Event, 10), stop: make(chan struct{})}
	go t.handOn()
	return t
}

func (t *translated) ResultChan() <-chan watch.Event { return t.out }

func (t *translated) Stop() {
	t.stop <- struct{}{} // want abandoned "this send waits forever once (*translated).handOn has returned by itself (line 38): nobody else receives from stop; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @35 "the only one who receives" @38 "it returns here without a send"
	t.inner.Stop()
}

func (t *translated) handOn() {
	defer close(t.out)
	for {
		select {
		case e, ok := <-t.inner.ResultChan():
			if !ok {
				return
			}
			t.out <- e
		case <-t.stop:
			return
		}
	}
}

// closed tells by closing the channel.
type closed struct {
	inner watch.Interface
	stop  chan struct{}
}

func newClosed(inner watch.Interface) *closed {
	c := &closed{inner: inner, stop: make(chan struct{})}
	go c.work()
	return c
}

func (c *closed) Stop() { close(c.stop) } // ok

func (c *closed) work() {
	for {
		select {
		case _, ok := <-c.inner.ResultChan():
			if !ok {
				return
			}
		case <-c.stop:
			return
		}
	}
}

// roomy has room for the one value.
type roomy struct {
	inner watch.Interface
	stop  chan struct{}
}

func newRoomy(inner watch.Interface) *roomy {
	r := &roomy{inner: inner, stop: make(chan struct{}, 1)}
	go r.work()
	return r
}

func (r *roomy) Stop() { r.stop <- struct{}{} } // ok

func (r *roomy) work() {
	select {
	case <-r.inner.ResultChan():
	case <-r.stop:
	}
}

// told leaves only when it is told to: by the value, or by the end of the context.
type told struct {
	inner watch.Interface
	stop  chan struct{}
}

func newTold(ctx context.Context, inner watch.Interface) *told {
	t := &told{inner: inner, stop: make(chan struct{})}
	go t.work(ctx)
	return t
}

func (t *told) Stop() { t.stop <- struct{}{} } // ok

func (t *told) work(ctx context.Context) {
	for {
		select {
		case <-t.inner.ResultChan():
		case <-ctx.Done():
			return
		case <-t.stop:
			return
		}
	}
}

// timed gives up after a while.
type timed struct {
	inner watch.Interface
	next  chan string
}

func newTimed(inner watch.Interface) *timed {
	t := &timed{inner: inner, next: make(chan string)}
	go t.work()
	return t
}

func (t *timed) Add(name string) {
	t.next <- name // want abandoned "this send waits forever once (*timed).work has returned by itself (line 143): nobody else receives from next; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @140 "the only one who receives" @143 "it returns here without a send"
}

func (t *timed) work() {
	timeout := time.NewTimer(time.Minute)
	for {
		select {
		case <-t.next:
		case <-timeout.C:
			return
		}
	}
}

// knowing asks first.
type knowing struct {
	inner   watch.Interface
	stop    chan struct{}
	running bool
}

func newKnowing(inner watch.Interface) *knowing {
	k := &knowing{inner: inner, stop: make(chan struct{}), running: true}
	go k.work()
	return k
}

func (k *knowing) Stop() {
	if k.running {
		k.stop <- struct{}{} // ok: the goroutine may have said that it is gone
	}
}

func (k *knowing) work() {
	defer func() { k.running = false }()
	select {
	case <-k.inner.ResultChan():
	case <-k.stop:
	}
}

// again is run anew for each turn.
type again struct {
	inner watch.Interface
	stop  chan struct{}
}

func newAgain(inner watch.Interface) *again {
	a := &again{inner: inner, stop: make(chan struct{})}
	go func() {
		for {
			a.work()
		}
	}()
	return a
}

func (a *again) Stop() { a.stop <- struct{}{} } // ok

func (a *again) work() {
	select {
	case <-a.inner.ResultChan():
	case <-a.stop:
	}
}

// queued leaves when its queue is shut down, which others do.
type queued struct {
	queue workqueue.TypedRateLimitingInterface[string]
	next  chan string
}

func newQueued(queue workqueue.TypedRateLimitingInterface[string]) *queued {
	q := &queued{queue: queue, next: make(chan string)}
	go q.work()
	return q
}

func (q *queued) Went(name string) { q.next <- name } // ok

func (q *queued) work() {
	for {
		name, quit := q.queue.Get()
		if quit {
			return
		}
		q.queue.Done(name)
		<-q.next
	}
}

// failing tells who has started it when it could not begin.
type failing struct {
	inner watch.Interface
	stop  chan struct{}
}

func (f *failing) Start(begin func() error) error {
	f.stop = make(chan struct{})
	failed := make(chan error, 1)
	go f.run(begin, failed)
	return <-failed
}

func (f *failing) run(begin func() error, failed chan<- error) {
	if err := begin(); err != nil {
		failed <- err
		return
	}
	failed <- nil
	<-f.stop
	f.inner.Stop()
}

func (f *failing) Stop() { f.stop <- struct{}{} } // ok: who was told that it has failed does not stop it

// asking looks at the context by itself.
type asking struct {
	wake chan struct{}
}

func newAsking(ctx context.Context) *asking {
	a := &asking{wake: make(chan struct{})}
	go a.run(ctx)
	return a
}

func (a *asking) Wake() { a.wake <- struct{}{} } // ok

func (a *asking) run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	for {
		if ctx.Err() != nil {
			return
		}
		select {
		case <-a.wake:
		case <-tick.C:
		}
	}
}
