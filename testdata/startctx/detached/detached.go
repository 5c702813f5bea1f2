// Package detached has Runnables and constructors that leave goroutines behind.
package detached

import (
	"context"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type beat struct{ every time.Duration }

func (b *beat) Start(ctx context.Context) error {
	go b.run() // want detached "(*beat).Start returns at once and leaves a goroutine behind in which a loop waits for time.Sleep again and again (line 24): its context does not end it" @24 "this goes on forever"
	return nil
}

func (b *beat) run() {
	for {
		work()
		time.Sleep(b.every)
	}
}

type again struct{}

func (again) Start(context.Context) error {
	go wait.Forever(work, time.Minute) // want detached "again.Start returns at once and leaves a goroutine behind in which wait.Forever never returns (line 31): its context does not end it" @31 "this goes on forever"
	return nil
}

type obedient struct{ every time.Duration }

func (o *obedient) Start(ctx context.Context) error {
	go wait.UntilWithContext(ctx, func(context.Context) { work() }, o.every) // ok: ctx ends it
	go func() {                                                              // ok: so here
		tick := time.NewTicker(o.every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				work()
			case <-ctx.Done():
				return
			}
		}
	}()
	go work() // ok: comes to an end
	return nil
}

type stoppable struct{ server *http.Server }

func (s *stoppable) NeedLeaderElection() bool { return false }

func (s *stoppable) Start(context.Context) error {
	go s.server.ListenAndServe() // ok: it has a method Stop
	return nil
}

func (s *stoppable) Stop() { _ = s.server.Close() }

func work() {}

type directory struct {
	client.Client
	known int
}

func newDirectory(c client.Client) *directory {
	d := &directory{Client: c}
	refresh := func() { _ = d.refresh() }
	go wait.Forever(refresh, time.Minute) // want detached "newDirectory starts a goroutine that calls the API server and in which wait.Forever never returns (line 76): it runs on every replica, leader or not, and nothing stops it" @76 "this goes on forever"
	return d
}

func newBound(ctx context.Context, c client.Client) *directory {
	d := &directory{Client: c}
	go wait.Until(func() { _ = d.refresh() }, time.Minute, ctx.Done()) // ok: the caller can stop it
	return d
}

type gauge struct{ last time.Time }

func newGauge() *gauge {
	g := &gauge{}
	go wait.Forever(func() { g.last = time.Now() }, time.Minute) // ok: it keeps to itself
	return g
}

func (d *directory) refresh() error {
	var pods corev1.PodList
	if err := d.List(context.Background(), &pods); err != nil {
		return err
	}
	d.known = len(pods.Items)
	return nil
}

type page struct{ handler http.Handler }

// leave without NeedLeaderElection would be a finding of its own.
func (p *page) NeedLeaderElection() bool { return false }

func (p *page) Start(context.Context) error {
	go http.ListenAndServe(":8080", p.handler) // want detached "(*page).Start returns at once and leaves a goroutine behind in which http.ListenAndServe serves until it is shut down (line 109): its context does not end it" @109 "this goes on forever"
	return nil
}
