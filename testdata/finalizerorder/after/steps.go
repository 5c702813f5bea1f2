package after

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// steps takes one finalizer after the other off: each write is for a finalizer that keeps the object.
func (r *reconciler) steps(ctx context.Context, claim *corev1.PersistentVolumeClaim, first, second string) error {
	if claim.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(claim, first)
	if err := r.Update(ctx, claim); err != nil {
		return err
	}
	if claim.Spec.VolumeName == "" {
		return nil
	}
	controllerutil.RemoveFinalizer(claim, second)
	return r.Update(ctx, claim) // ok: the second one is still there
}

// again takes the same one off twice.
func (r *reconciler) again(ctx context.Context, volume *corev1.PersistentVolume, first string) error {
	if volume.DeletionTimestamp == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(volume, first)
	if err := r.Update(ctx, volume); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(volume, first)
	return r.Update(ctx, volume) // want writeafterremoval "volume may be gone when it is written here: line 32 has taken its finalizer off while it is being deleted, so this fails where that was the last one; write first" @32 "the finalizer goes here"
}

var _ = []any{(*reconciler).steps, (*reconciler).again}
