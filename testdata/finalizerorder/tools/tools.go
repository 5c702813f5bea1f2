// Package tools has the finalizers of its objects taken off by functions of another package.
package tools

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/tools/helpers"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// byMeta hands over the metadata: nobody else lets its pods go.
func (r *reconciler) byMeta(ctx context.Context, obj *corev1.Pod) error {
	var svc corev1.Service
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Spec.Hostname}, &svc); err != nil { // want unreachable "obj keeps its finalizer if its Service is gone: this lookup fails before line 24 removes it; handle deletion first or ignore NotFound" @24 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		helpers.LetGo(&obj.ObjectMeta, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

// byInterface hands over the object.
func (r *reconciler) byInterface(ctx context.Context, obj *corev1.Service) error {
	var node corev1.Node
	if err := r.Get(ctx, client.ObjectKey{Name: obj.Labels["node"]}, &node); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 37 removes it; handle deletion first or ignore NotFound" @37 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		helpers.Release(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}

// byKind has a function let it go that is there for nodes: others may call that, too.
func (r *reconciler) byKind(ctx context.Context, obj *corev1.Node) error {
	var svc corev1.Service
	if err := r.Get(ctx, client.ObjectKey{Namespace: "default", Name: obj.Labels["service"]}, &svc); err != nil { // ok
		return err
	}
	if obj.DeletionTimestamp != nil {
		helpers.ReleaseNode(obj, guard)
		return r.Update(ctx, obj)
	}
	return nil
}
