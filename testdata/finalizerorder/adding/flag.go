package adding

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// set has the finalizer there or not, as it is told.
func set(cm *corev1.ConfigMap, name string, exist bool) {
	i := slices.Index(cm.Finalizers, name)
	if exist != (i > -1) {
		if i > -1 {
			cm.Finalizers = slices.Delete(cm.Finalizers, i, i+1)
		} else {
			cm.Finalizers = append(cm.Finalizers, name)
		}
	}
}

func unset(cm *corev1.ConfigMap) { set(cm, "example.com/guard", false) }

// A released object has lost its finalizer before anybody asks whether it is deleted: nothing is added.
func (r *reconciler) released(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	unset(&cm)
	if err := r.Update(ctx, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if cm.DeletionTimestamp != nil {
		return ctrl.Result{}, r.cleanUp(ctx, &cm)
	}
	return ctrl.Result{}, nil
}

// A guarded one gets it first.
func (r *reconciler) guarded(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set(&cm, "example.com/guard", true) // want addedbeforecheck "cm gets a finalizer here before line 52 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @52 "the check of the deletion timestamp"
	if err := r.Update(ctx, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if cm.DeletionTimestamp != nil {
		return ctrl.Result{}, r.cleanUp(ctx, &cm)
	}
	return ctrl.Result{}, nil
}
