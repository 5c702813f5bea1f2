package detached

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	corev1 "k8s.io/api/core/v1"
)

// Quotas are read again and again.
type Quotas struct {
	client client.Client
	bound  *bounded
}

// NewQuotas starts what reads them.
func NewQuotas(c client.Client) *Quotas {
	q := &Quotas{client: c, bound: &bounded{client: c}}
	go q.refresh() // want detached "the goroutine of NewQuotas never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @28 "the loop around time.Sleep has no exit"
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
