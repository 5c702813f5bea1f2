package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// topics goes first of two, by a helper that is told which one, and gives the object back.
func (r *reconciler) topics(ctx context.Context, set *corev1.ReplicationController) error {
	if set.DeletionTimestamp == nil {
		return nil
	}
	set, err := r.drop(ctx, set, guard+"-topics")
	if err != nil {
		return err
	}
	if err := r.cs.CoreV1().Services(set.Namespace).Delete(ctx, set.Name, metav1.DeleteOptions{}); err != nil { // ok: it still has the other one
		return err
	}
	_, err = r.drop(ctx, set, guard)
	return err
}

func (r *reconciler) drop(ctx context.Context, set *corev1.ReplicationController, finalizer string) (*corev1.ReplicationController, error) {
	controllerutil.RemoveFinalizer(set, finalizer)
	return set, r.Update(ctx, set)
}
