// Package adding puts finalizers on objects, before and after it has seen whether they are being deleted.
package adding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client
	cs kubernetes.Interface
}

func (r *reconciler) cleanUp(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

func (r *reconciler) normal(context.Context, *corev1.ConfigMap) error { return nil }

// raw does so with append, and writes in a deferred function.
func (r *reconciler) raw(ctx context.Context, cm *corev1.ConfigMap) (err error) {
	base := cm.DeepCopy()
	defer func() {
		if patchErr := r.Patch(ctx, cm, client.MergeFrom(base)); err == nil {
			err = patchErr
		}
	}()
	if len(cm.Finalizers) == 0 {
		cm.Finalizers = append(cm.Finalizers, guard) // want lateadd "cm gets this finalizer only if it has no other one (line 35): with another one, cm is deleted without this cleanup; use controllerutil.AddFinalizer" @35 "this tests for any finalizer"
		return nil
	}
	deleted := cm.GetDeletionTimestamp() != nil
	if deleted {
		return r.cleanUp(ctx, cm)
	}
	return r.normal(ctx, cm)
}

func isGoing(obj client.Object) bool { return !obj.GetDeletionTimestamp().IsZero() } // want isGoing:"tests p0: [true]"

// after is the right order.
func (r *reconciler) after(ctx context.Context, cm *corev1.ConfigMap) error {
	if isGoing(cm) {
		return r.cleanUp(ctx, cm)
	}
	if controllerutil.AddFinalizer(cm, guard) { // ok: not being deleted
		return r.Update(ctx, cm)
	}
	return r.normal(ctx, cm)
}

// local asks once and keeps the answer.
func (r *reconciler) local(ctx context.Context, cm *corev1.ConfigMap) error {
	deleted := cm.GetDeletionTimestamp() != nil
	if !deleted && len(cm.Finalizers) == 0 {
		cm.SetFinalizers(append(cm.GetFinalizers(), guard)) // not deleted // want lateadd "cm gets this finalizer only if it has no other one (line 62): with another one, cm is deleted without this cleanup; use controllerutil.AddFinalizer" @62 "this tests for any finalizer"
		return r.Update(ctx, cm)
	}
	if deleted {
		return r.cleanUp(ctx, cm)
	}
	return nil
}

func keepFirst(cm *corev1.ConfigMap) {
	if len(cm.Finalizers) == 0 {
		keep(cm, true) // want lateadd "cm gets this finalizer only if it has no other one (line 73): with another one, cm is deleted without this cleanup; use controllerutil.AddFinalizer" @73 "this tests for any finalizer"
	}
}

func keep(cm *corev1.ConfigMap, on bool) {
	if on {
		controllerutil.AddFinalizer(cm, guard)
	}
}

var _ = []any{(*reconciler).raw, (*reconciler).after, (*reconciler).local}
