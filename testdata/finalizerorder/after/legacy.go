package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// legacy takes a finalizer off that nobody needs any more, off living objects as well.
func (r *reconciler) legacy(ctx context.Context, key client.ObjectKey) error {
	node, err := r.node(ctx, key)
	if err != nil {
		return err
	}
	if node == nil {
		return nil
	}
	if !node.DeletionTimestamp.IsZero() {
		return r.dropLegacy(ctx, node)
	}
	if err := r.dropLegacy(ctx, node); err != nil {
		return err
	}
	node.Spec.Unschedulable = true
	return r.Update(ctx, node) // ok: it is not being deleted
}

func (r *reconciler) dropLegacy(ctx context.Context, node *corev1.Node) error {
	if !controllerutil.ContainsFinalizer(node, guard) {
		return nil
	}
	controllerutil.RemoveFinalizer(node, guard)
	return r.Update(ctx, node)
}

func (r *reconciler) node(ctx context.Context, key client.ObjectKey) (*corev1.Node, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, key, node); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return node, nil
}
