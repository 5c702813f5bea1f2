// Package dropped makes contexts with a deadline, and drops some of them.
package dropped

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type pool struct {
	client client.Client
	cancel context.CancelFunc
}

// newPool gives back the context that it was given.
func newPool(ctx context.Context, c client.Client) (context.Context, *pool) {
	_, cancel := context.WithTimeout(ctx, 10*time.Second) // want neverstops "the context returned by context.WithTimeout is not used, so the deadline has no effect: its parent is passed on (line 21); pass the new context" @21 "the context without the deadline is passed here"
	return ctx, &pool{client: c, cancel: cancel}
}

// newBoundedPool gives back the context with the deadline.
func newBoundedPool(ctx context.Context, c client.Client) (context.Context, *pool) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	return ctx, &pool{client: c, cancel: cancel}
}

// read asks with the context that it was given.
func (p *pool) read(ctx context.Context, key client.ObjectKey) (*corev1.Pod, error) {
	_, cancel := context.WithDeadline(ctx, time.Now().Add(time.Minute)) // want neverstops "the context returned by context.WithDeadline is not used, so the deadline has no effect: its parent is passed on (line 35); pass the new context" @35 "the context without the deadline is passed here"
	defer cancel()
	pod := &corev1.Pod{}
	return pod, p.client.Get(ctx, key, pod)
}

// readSoon has a deadline already.
func (p *pool) readSoon(ctx context.Context, key client.ObjectKey) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	pod := &corev1.Pod{}
	if err := p.client.Get(ctx, key, pod); err != nil {
		return err
	}
	_, stop := context.WithTimeout(ctx, time.Second) // ok: the first one ends what follows
	defer stop()
	return p.client.Delete(ctx, pod)
}

// readAll asks so in a literal.
func (p *pool) readAll(ctx context.Context, keys []client.ObjectKey) error {
	_, cancel := context.WithTimeout(ctx, time.Minute) // want neverstops "the context returned by context.WithTimeout is not used, so the deadline has no effect: its parent is passed on (line 54); pass the new context" @54 "the context without the deadline is passed here"
	defer cancel()
	read := func(key client.ObjectKey) error { return p.client.Get(ctx, key, &corev1.Pod{}) }
	for _, key := range keys {
		if err := read(key); err != nil {
			return err
		}
	}
	return nil
}

// readBounded asks with the new one.
func (p *pool) readBounded(ctx context.Context, key client.ObjectKey) error {
	bounded, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := p.client.Get(bounded, key, &corev1.Pod{}); err != nil {
		return p.client.Delete(ctx, &corev1.Pod{})
	}
	return nil
}

// readBefore asks before there is a deadline, and only logs behind it.
func (p *pool) readBefore(ctx context.Context, key client.ObjectKey) error {
	err := p.client.Get(ctx, key, &corev1.Pod{})
	_, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	klog.FromContext(ctx).Info("read", "key", key)
	return err
}

// readTwice makes another one, and asks with that.
func (p *pool) readTwice(ctx context.Context, key client.ObjectKey) error {
	_, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return p.client.Get(ctx, key, &corev1.Pod{})
}

// placeholder has a cancel function that ends nothing.
func placeholder(ctx context.Context, c client.Client) (context.Context, *pool) {
	_, cancel := context.WithCancel(ctx)
	return ctx, &pool{client: c, cancel: cancel}
}

var _ = []any{newPool, newBoundedPool, placeholder, (*pool).read, (*pool).readAll, (*pool).readBounded, (*pool).readBefore, (*pool).readTwice}
