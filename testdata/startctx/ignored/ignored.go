// Package ignored has Runnables that do, or do not, look at their context.
package ignored

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type announcer struct{ elected chan struct{} }

func (a *announcer) Start(_ context.Context) error { // want ignored "(*announcer).Start ignores its context, and the send on a.elected can block forever at line 23: nothing ends it when the manager stops" @23 "here (*announcer).Start waits"
	a.elected <- struct{}{}
	return nil
}

type waiter struct{ results chan error }

func (w waiter) Start(ctx context.Context) error { // want ignored "waiter.Start ignores its context, and the receive from w.results can block forever at line 30: nothing ends it when the manager stops" @30 "here waiter.Start waits"
	return <-w.results
}

type indirect struct{ queue chan int }

func (i *indirect) Start(context.Context) error { // want ignored "(*indirect).Start ignores its context, and the receive from i.queue can block forever at line 42 (in (*indirect).drain): nothing ends it when the manager stops" @42 "here (*indirect).Start waits"
	i.drain()
	return nil
}

func (i *indirect) drain() {
	for {
		handle(<-i.queue)
	}
}

func handle(int) {}

type legacy struct{}

func (l *legacy) Start(stop <-chan struct{}) error { // want ignored "(*legacy).Start ignores its stop channel, and the select can block forever at line 52: nothing ends it when the manager stops" @52 "here (*legacy).Start waits"
	go wait.Until(func() {}, time.Second, wait.NeverStop)
	select {}
}

type probes struct{ handler http.Handler }

func (p *probes) Start(context.Context) error { // want ignored "(*probes).Start ignores its context, and http.ListenAndServe serves until it is shut down at line 58: nothing ends it when the manager stops" @58 "here (*probes).Start waits"
	return http.ListenAndServe(":8081", p.handler)
}

func sleeper(mgr ctrl.Manager) error {
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // want ignored "the RunnableFunc in sleeper ignores its context, and time.Sleep holds it up at line 63: nothing ends it when the manager stops" @63 "here the RunnableFunc in sleeper waits"
		time.Sleep(time.Minute)
		handle(1)
		return nil
	}))
}

type refresher struct{ mgr ctrl.Manager }

func (r *refresher) run(_ context.Context) error { // want ignored "(*refresher).run ignores its context, and r.mgr.Start runs forever: context.Background() never ends at line 72: nothing ends it when the manager stops" @72 "here (*refresher).run waits"
	return r.mgr.Start(context.Background())
}

func (r *refresher) register(mgr ctrl.Manager) error {
	return mgr.Add(manager.RunnableFunc(r.run))
}

type obedient struct{ in chan int }

func (o *obedient) Start(ctx context.Context) error { // ok: the select has a case for the context
	for {
		select {
		case <-ctx.Done():
			return nil
		case n := <-o.in:
			handle(n)
		}
	}
}

type once struct{ seen map[string]bool }

func (o *once) Start(context.Context) error { // ok: returns at once
	o.seen = map[string]bool{}
	return nil
}

func oneShot(mgr ctrl.Manager, ready chan struct{}) error {
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // ok: nothing in it blocks
		close(ready)
		return nil
	}))
}

func sibling(mgr ctrl.Manager) error {
	srv := &http.Server{Addr: ":6060", ReadHeaderTimeout: time.Second}
	if err := mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		<-ctx.Done()
		late, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return srv.Shutdown(late)
	})); err != nil {
		return err
	}
	return mgr.Add(everywhere(func(context.Context) error { // ok: its sibling shuts the server down
		return srv.ListenAndServe()
	}))
}

// everywhere is a RunnableFunc that needs no leader.
type everywhere func(context.Context) error

func (e everywhere) Start(ctx context.Context) error { return e(ctx) }
func (everywhere) NeedLeaderElection() bool          { return false }

type closable struct{ stopped chan struct{} }

func (c *closable) Start(context.Context) error { // ok: Stop ends it
	<-c.stopped
	return nil
}

func (c *closable) Stop() { close(c.stopped) }

type barrier struct {
	open chan struct{}
	wg   sync.WaitGroup
}

func (b *barrier) Start(context.Context) error { // ok: the channel is closed elsewhere
	<-b.open
	return nil
}

func (b *barrier) lift() { close(b.open) }

type source struct{ events chan int }

func (s *source) Start(_ context.Context, queue chan<- int) error { // ok: not a Runnable
	queue <- <-s.events
	return nil
}

type nameless struct{ events chan int }

func (n *nameless) Start(_ context.Context) { // ok: not a Runnable, it has no result
	handle(<-n.events)
}

type spawner struct{ events chan int }

func (s *spawner) Start(context.Context) error { // ok: the goroutine blocks, Start does not
	go func() { handle(<-s.events) }()
	return nil
}

type buffered struct{}

func (buffered) Start(context.Context) error { // ok: there is room in the channel
	done := make(chan error, 1)
	done <- nil
	return nil
}

type local struct{ l net.Listener }

func (l *local) Start(context.Context) error { // ok: closing the listener ends Serve
	return http.Serve(l.l, nil)
}

func (l *local) end() error { return l.l.Close() }

type crew struct{ jobs chan int }

func (c *crew) Run(workers int, _ <-chan struct{}) { // want ignored "(*crew).Run ignores its stop channel, and the receive from c.jobs can block forever at line 197 (in (*crew).work): nothing ends it when it is asked to stop" @197 "here (*crew).Run waits"
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() { defer wg.Done(); c.work() }()
	}
	wg.Wait()
}

func (c *crew) work() {
	for {
		handle(<-c.jobs)
	}
}

type sprint struct{}

func (s *sprint) Run(workers int, _ <-chan struct{}) { // ok: the goroutines that it waits for come to an end
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { handle(1) })
	}
	wg.Wait()
}

type lister struct{ client client.Client }

func (l *lister) Start(_ context.Context) error { // ok: a server answers
	return l.client.List(context.Background(), &corev1.PodList{})
}

type sweeper struct{ client client.Client }

func (s *sweeper) Start(_ context.Context) error { // want ignored "(*sweeper).Start ignores its context, and s.client.List waits for a server with a context that is never done at line 221: nothing ends it when the manager stops" @221 "here (*sweeper).Start waits"
	for range 3 {
		if err := s.client.List(context.Background(), &corev1.PodList{}); err != nil {
			return err
		}
	}
	return nil
}

type plain struct{ informer cache.SharedInformer }

func (p *plain) Run(_ context.Context) { // want ignored "(*plain).Run ignores its context, and p.informer.Run runs forever: a nil channel never fires at line 231: nothing ends it when it is asked to stop" @231 "here (*plain).Run waits"
	p.informer.Run(nil)
}

type queued struct {
	queue workqueue.TypedInterface[string]
}

func (q *queued) Run(_ context.Context) { // ok: shutting the queue down ends it
	for {
		key, shutdown := q.queue.Get()
		if shutdown {
			return
		}
		q.queue.Done(key)
	}
}

// archive has a Close that closes something else than what Start waits for.
type archive struct {
	rows chan int
	db   interface{ Close() error }
}

func (a *archive) Start(ctx context.Context) error { // want ignored "(*archive).Start ignores its context, and the receive from a.rows can block forever at line 255: nothing ends it when the manager stops" @255 "here (*archive).Start waits"
	handle(<-a.rows)
	return nil
}

func (a *archive) Close() error { return a.db.Close() }

// ledger has one that closes what Start waits for, in a function that it calls.
type ledger struct{ rows, spare chan int }

func (c *ledger) Start(ctx context.Context) error { // ok: Close ends it
	for r := range c.rows {
		handle(r)
	}
	return nil
}

func (c *ledger) Close() { c.end() }
func (c *ledger) end()   { close(c.rows) }

// spare closes the other channel.
type spare struct{ rows, other chan int }

func (s *spare) Start(ctx context.Context) error { // want ignored "(*spare).Start ignores its context, and the receive from s.rows can block forever at line 278: nothing ends it when the manager stops" @278 "here (*spare).Start waits"
	handle(<-s.rows)
	return nil
}

func (s *spare) Stop() { close(s.other) }

// fed has one that stops what its channel comes from.
type fed struct {
	source interface {
		Rows() <-chan int
		Stop()
	}
}

func (f *fed) Start(ctx context.Context) error { // ok: Stop ends it
	for r := range f.source.Rows() {
		handle(r)
	}
	return nil
}

func (f *fed) Stop() { f.source.Stop() }

// asked has one that asks.
type asked struct{ stop chan bool }

func (a *asked) Start(ctx context.Context) error { // ok: Stop ends it
	<-a.stop
	return nil
}

func (a *asked) Stop() { a.stop <- true }

// handed gives its channel away: who has it may end it when the other is closed.
type handed struct {
	rows chan int
	feed interface {
		To(chan int)
		Close()
	}
}

func (h *handed) Start(ctx context.Context) error { // ok: Close may end it
	h.feed.To(h.rows)
	handle(<-h.rows)
	return nil
}

func (h *handed) Close() { h.feed.Close() }

type receiver struct{ stopped int }

// Run waits for its channel, in a literal and with its result dropped.
func (r *receiver) Run(stopCh <-chan struct{}) {
	done := func() { <-stopCh }
	done()
	r.stopped++
}
