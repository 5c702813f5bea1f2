package awaited

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// letGo takes the children's finalizer off itself before it deletes them.
func (r *reconciler) letGo(ctx context.Context, obj *corev1.Secret) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var sets appsv1.ReplicaSetList
	if err := r.List(ctx, &sets); err != nil {
		return err
	}
	for i := range sets.Items {
		if err := r.end(ctx, &sets.Items[i]); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard) // ok: none of them is kept
	return r.Update(ctx, obj)
}

func (r *reconciler) end(ctx context.Context, set *appsv1.ReplicaSet) error {
	if controllerutil.RemoveFinalizer(set, guard) {
		if err := r.Update(ctx, set); err != nil {
			return err
		}
	}
	return r.Delete(ctx, set)
}
