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

// only has one, and goes by the same helper on each way.
func (r *reconciler) only(ctx context.Context, quota *corev1.ResourceQuota) error {
	if quota.DeletionTimestamp == nil {
		return nil
	}
	if err := r.dropQuota(ctx, quota, guard); err != nil {
		return err
	}
	quota.Labels = nil
	if err := r.Update(ctx, quota); err != nil { // want writeafterremoval "quota may be gone when it is written here: line 37 has taken its finalizer off while it is being deleted, so this fails where that was the last one; write first" @37 "the finalizer goes here"
		return err
	}
	return r.dropQuota(ctx, quota, guard)
}

func (r *reconciler) dropQuota(ctx context.Context, quota *corev1.ResourceQuota, finalizer string) error {
	controllerutil.RemoveFinalizer(quota, finalizer)
	return r.Update(ctx, quota)
}
