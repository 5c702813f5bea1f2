package adding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// mutated has a function literal that adds the finalizer, and takes it off again where the object is deleted, before anything is sent.
func (r *reconciler) mutated(ctx context.Context, cm *corev1.ConfigMap) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error { // ok: a deleted object is sent without it
		controllerutil.AddFinalizer(cm, guard)
		if cm.DeletionTimestamp != nil {
			if err := r.cleanUp(ctx, cm.DeepCopy()); err != nil {
				return err
			}
			controllerutil.RemoveFinalizer(cm, guard)
		}
		return nil
	})
	if err == nil && cm.DeletionTimestamp != nil {
		r.forget(cm.Name)
	}
	return err
}

// mutatedSome takes it off again in some cases alone.
func (r *reconciler) mutatedSome(ctx context.Context, cm *corev1.ConfigMap) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error { // want addedbeforecheck "cm gets a finalizer here before line 37 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @37 "the check of the deletion timestamp"
		controllerutil.AddFinalizer(cm, guard) // want addedbeforecheck "cm gets a finalizer here before line 32 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @32 "the check of the deletion timestamp"
		if cm.DeletionTimestamp != nil && cm.Data["done"] != "" {
			controllerutil.RemoveFinalizer(cm, guard)
		}
		return nil
	})
	if err == nil && cm.DeletionTimestamp != nil {
		r.forget(cm.Name)
	}
	return err
}

func (r *reconciler) forget(string) {}

// marked has a function add the finalizer, and take it off again.
func (r *reconciler) marked(ctx context.Context, cm *corev1.ConfigMap) error {
	r.mark(cm) // ok: a deleted object is sent without it
	if cm.DeletionTimestamp != nil {
		return r.Update(ctx, cm)
	}
	return r.Patch(ctx, cm, nil)
}

func (r *reconciler) mark(cm *corev1.ConfigMap) {
	controllerutil.AddFinalizer(cm, guard)
	if cm.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(cm, guard)
	}
}
