// Package ignored has Runnables that do, or do not, look at their context.
package ignored

import (
	"context"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type announcer struct{ elected chan struct{} }

func (a *announcer) Start(_ context.Context) error { // want ignored "(*announcer).Start ignores its context, but the send on a.elected can block forever at line 21: the manager cannot stop it; return when the context is done" @21 "(*announcer).Start blocks here"
	a.elected <- struct{}{}
	return nil
}

type indirect struct{ queue chan int }

func (i *indirect) Start(context.Context) error { // want ignored "(*indirect).Start ignores its context, but the receive from i.queue can block forever at line 34 (in (*indirect).drain): the manager cannot stop it; return when the context is done" @34 "(*indirect).Start blocks here"
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

func (l *legacy) Start(stop <-chan struct{}) error { // want ignored "(*legacy).Start ignores its stop channel, but the select can block forever at line 44: the manager cannot stop it; return when the stop channel is closed" @44 "(*legacy).Start blocks here"
	go wait.Until(func() {}, time.Second, wait.NeverStop)
	select {}
}

type probes struct{ handler http.Handler }

func (p *probes) Start(context.Context) error { // want ignored "http.ListenAndServe at line 50 does not end when the context is done, so the manager cannot stop (*probes).Start; use an http.Server and call its Shutdown then" @50 "(*probes).Start blocks here"
	return http.ListenAndServe(":8081", p.handler)
}

func sleeper(mgr ctrl.Manager) error {
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // want ignored "the RunnableFunc in sleeper ignores its context, but time.Sleep delays it at line 55: the manager cannot stop it; return when the context is done" @55 "the RunnableFunc in sleeper blocks here"
		time.Sleep(time.Minute)
		handle(1)
		return nil
	}))
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

type spawner struct{ events chan int }

func (s *spawner) Start(context.Context) error { // ok: the goroutine blocks, Start does not
	go func() { handle(<-s.events) }()
	return nil
}

type crew struct{ jobs chan int }

func (c *crew) Run(workers int, _ <-chan struct{}) { // want ignored "(*crew).Run ignores its stop channel, but the receive from c.jobs can block forever at line 150 (in (*crew).work): nothing can stop it; return when the stop channel is closed" @150 "(*crew).Run blocks here"
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

type lister struct{ client client.Client }

func (l *lister) Start(_ context.Context) error { // ok: a server answers
	return l.client.List(context.Background(), &corev1.PodList{})
}

type sweeper struct{ client client.Client }

func (s *sweeper) Start(_ context.Context) error { // want ignored "(*sweeper).Start ignores its context, but s.client.List waits for a server with a context that is never done at line 164: the manager cannot stop it; return when the context is done" @164 "(*sweeper).Start blocks here"
	for range 3 {
		if err := s.client.List(context.Background(), &corev1.PodList{}); err != nil {
			return err
		}
	}
	return nil
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

func (s *spare) Start(ctx context.Context) error { // want ignored "(*spare).Start ignores its context, but the receive from s.rows can block forever at line 202: the manager cannot stop it; return when the context is done" @202 "(*spare).Start blocks here"
	handle(<-s.rows)
	return nil
}

func (s *spare) Stop() { close(s.other) }

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
