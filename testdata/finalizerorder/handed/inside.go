package handed

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A step is one part of the work for a node.
type step interface {
	undo(ctx context.Context, node *corev1.Node) error
	move(ctx context.Context, node *corev1.Node) error
}

type steps struct {
	client.Client
	all []step
}

func (r *steps) reconcile(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp != nil {
		for _, s := range r.all {
			if err := s.move(ctx, node); err != nil {
				return err
			}
			if err := s.undo(ctx, node); err != nil {
				return err
			}
		}
		controllerutil.RemoveFinalizer(node, "example.com/steps")
		return r.Update(ctx, node)
	}
	for _, s := range r.all {
		if err := s.move(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

type daemon struct{ client.Client }

func (d *daemon) undo(ctx context.Context, node *corev1.Node) error {
	return d.Delete(ctx, &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: node.Name, Namespace: "system"}}) // want unreachable "node keeps its finalizer if its DaemonSet is gone: this deletion fails and undo returns the error; ignore NotFound"
}

func (d *daemon) move(ctx context.Context, node *corev1.Node) error {
	return d.Delete(ctx, &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: node.Name, Namespace: "system"}}) // ok: it is for those that live, too
}
