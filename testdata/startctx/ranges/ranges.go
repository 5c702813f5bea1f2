// Package ranges works off channels that somebody closes, or not.
package ranges

import (
	"context"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	corev1 "k8s.io/api/core/v1"
)

type checker struct{ client.Client }

func (c *checker) check(context.Context, string) {}

// Add hands the manager both.
func Add(mgr manager.Manager) error {
	if err := mgr.Add(&checker{mgr.GetClient()}); err != nil {
		return err
	}
	return mgr.Add(&closing{checker{mgr.GetClient()}})
}

// Start waits for workers that nobody tells that there is no more to come.
func (c *checker) Start(ctx context.Context) error {
	ids := make(chan string)
	go c.feed(ctx, ids)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for id := range ids { // want loop "this loop goes on until its channel is closed, and nothing closes it: (*checker).Start waits for it when the manager stops"
			c.check(ctx, id)
		}
	}()
	wg.Wait()
	return nil
}

func (c *checker) feed(ctx context.Context, ids chan<- string) {
	for {
		select {
		case <-ctx.Done():
			return
		case ids <- "a":
		}
	}
}

type closing struct{ checker }

// Start has somebody who closes the channel.
func (c *closing) Start(ctx context.Context) error {
	ids := make(chan string)
	go func() {
		defer close(ids)
		c.fill(ctx, ids)
	}()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for id := range ids { // ok
			c.check(ctx, id)
		}
	}()
	wg.Wait()
	return nil
}

func (c *closing) fill(ctx context.Context, ids chan<- string) {
	for ctx.Err() == nil {
		ids <- "a"
	}
}

// Quotas are read again and again.
type Quotas struct {
	client client.Client
	bound  *bounded
}

// NewQuotas starts what reads them.
func NewQuotas(c client.Client) *Quotas {
	q := &Quotas{client: c, bound: &bounded{client: c}}
	go q.refresh() // want detached "NewQuotas starts a goroutine that calls the API server and in which a loop waits for time.Sleep again and again (line 96): it runs on every replica, leader or not, and nothing stops it" @96 "this goes on forever"
	return q
}

func (q *Quotas) refresh() {
	for {
		_ = q.load(context.Background())
		time.Sleep(time.Minute)
	}
}

// load is given a context that never ends.
func (q *Quotas) load(ctx context.Context) error { return q.client.List(ctx, &corev1.PodList{}) }

type bounded struct {
	client client.Client
	ctx    context.Context
}

// newBounded starts what looks at a context.
func newBounded(c client.Client) *bounded {
	b := &bounded{client: c}
	go b.refresh() // ok
	return b
}

func (b *bounded) refresh() {
	for b.load(b.ctx) == nil {
		time.Sleep(time.Minute)
	}
}

func (b *bounded) load(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.client.List(ctx, &corev1.PodList{})
}

var _ = newBounded
