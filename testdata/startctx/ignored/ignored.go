// Package ignored has Runnables that do, or do not, look at their context.
package ignored

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type announcer struct{ elected chan struct{} }

func (a *announcer) Start(_ context.Context) error { // want `\(\*announcer\)\.Start ignores its context, and the send on a\.elected can block for ever at line 19`
	a.elected <- struct{}{}
	return nil
}

type waiter struct{ results chan error }

func (w waiter) Start(ctx context.Context) error { // want `waiter\.Start ignores its context, and the receive from w\.results can block`
	return <-w.results
}

type indirect struct{ queue chan int }

func (i *indirect) Start(context.Context) error { // want `\(\*indirect\)\.Start ignores its context, and the loop has no exit at line \d+ \(in \(\*indirect\)\.drain\)|the receive from i\.queue`
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

func (l *legacy) Start(stop <-chan struct{}) error { // want `\(\*legacy\)\.Start ignores its stop channel, and the select can block for ever`
	go wait.Until(func() {}, time.Second, wait.NeverStop)
	select {}
}

type probes struct{ handler http.Handler }

func (p *probes) Start(context.Context) error { // want `\(\*probes\)\.Start ignores its context, and http\.ListenAndServe serves for ever`
	return http.ListenAndServe(":8081", p.handler)
}

func sleeper(mgr ctrl.Manager) error {
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // want `the RunnableFunc in sleeper ignores its context, and time\.Sleep holds it up`
		time.Sleep(time.Minute)
		handle(1)
		return nil
	}))
}

type refresher struct{ mgr ctrl.Manager }

func (r *refresher) run(_ context.Context) error { // want `\(\*refresher\)\.run ignores its context, and r\.mgr\.Start runs with a context that is never done|Manager\.Start|Start runs with`
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
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // ok: its sibling shuts the server down
		return srv.ListenAndServe()
	}))
}

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
