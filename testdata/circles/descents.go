package circles

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A tree has objects, locks and channels. What walks through one hands on a part of what it got, so that a path that is followed up to where it comes from
// is longer with each call.
type tree struct {
	mu          sync.Mutex
	obj         *corev1.ConfigMap
	left, right *tree
	stop        chan struct{}
	ctx         context.Context
}

func (t *tree) walk(ctx context.Context, c client.Client) error {
	if t.obj.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(t.obj, "example.com/guard")
	} else if controllerutil.RemoveFinalizer(t.obj, "example.com/guard") {
		t.obj.Finalizers = nil
	}
	if err := c.Update(ctx, t.obj); err != nil {
		return err
	}
	t.mu.Lock()
	t.obj.Labels = nil
	t.mu.Unlock()
	select {
	case <-t.stop:
	case <-t.ctx.Done():
	}
	if err := t.left.walk(ctx, c); err != nil {
		return err
	}
	return t.right.walk(ctx, c)
}

func there(ctx context.Context, c client.Client, t *tree) error {
	if err := c.Delete(ctx, t.obj); err != nil {
		return err
	}
	return back(ctx, c, t.left)
}

func back(ctx context.Context, c client.Client, t *tree) error {
	t.obj.Finalizers = nil
	if err := c.Update(ctx, t.obj); err != nil {
		return err
	}
	<-t.stop
	return there(ctx, c, t.right)
}

func clear(ctx context.Context, c client.Client, t *tree) error {
	release(t.obj)
	if t.obj.DeletionTimestamp != nil {
		if err := c.Patch(ctx, t.obj, client.MergeFrom(t.obj.DeepCopy())); err != nil {
			return err
		}
	}
	for _, next := range []*tree{t.left, t.right} {
		if err := clear(ctx, c, next); err != nil {
			return err
		}
	}
	return clear(ctx, c, t.left.right)
}

func prune(ctx context.Context, c client.Client, t *tree) error {
	t.obj.Finalizers = nil
	go func(next *tree) { _ = prune(ctx, c, next) }(t.left)
	go visit(ctx, c, t.right)
	return c.Update(ctx, t.obj)
}

func visit(ctx context.Context, c client.Client, t *tree) { _ = prune(ctx, c, t.right) }

func sync2(ctx context.Context, c client.Client, t *tree) error {
	if t.obj.DeletionTimestamp == nil {
		return nil
	}
	return prune(ctx, c, t)
}

func release(obj *corev1.ConfigMap) { obj.Finalizers = nil }
