package lost

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// onTheSpot makes what it looks up, by a name that the object has.
func (r *reconciler) onTheSpot(ctx context.Context, obj *appsv1.Deployment) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: obj.Labels["node"]}}
	if err := r.Get(ctx, client.ObjectKeyFromObject(node), node); err != nil { // want unreachable "obj keeps its finalizer if its Node is gone: this lookup fails before line 20 removes it; handle deletion first or ignore NotFound" @20 "the finalizer is removed here"
		return err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, node, &corev1.Service{})
}

// another is named by a third object, which may see to it.
func (r *reconciler) another(ctx context.Context, obj *appsv1.DaemonSet) error {
	var limits corev1.LimitRange
	if err := r.Get(ctx, client.ObjectKeyFromObject(obj), &limits); client.IgnoreNotFound(err) != nil {
		return err
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: limits.Labels["node"]}}
	if err := r.Get(ctx, client.ObjectKeyFromObject(node), node); err != nil { // ok
		return err
	}
	if obj.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(obj, guard)
		return r.Update(ctx, obj)
	}
	return r.ready(ctx, node, &corev1.Service{})
}
