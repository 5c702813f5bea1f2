// Package ends asks whether another object is being deleted before it sees to the finalizer of one.
package ends

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// both does nothing while the namespace is on its way out, and nothing once it is gone.
func (r *reconciler) both(ctx context.Context, pod *corev1.Pod) error {
	var ns corev1.Namespace
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Namespace}, &ns); err != nil {
		return client.IgnoreNotFound(err)
	}
	if ns.DeletionTimestamp != nil { // want unreachable "pod keeps its finalizer for good once the Namespace is being deleted: nothing comes to line 27 then, where the finalizer goes, nor once that is gone; handle the deletion first" @20 "it is looked up here: once it is gone, nothing comes to the finalizer either" @27 "the finalizer goes here"
		return nil
	}
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pod, guard)
		return r.Update(ctx, pod)
	}
	controllerutil.AddFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// later sees to it once the volume is gone.
func (r *reconciler) later(ctx context.Context, pvc *corev1.PersistentVolumeClaim) error {
	var pv corev1.PersistentVolume
	err := r.Get(ctx, client.ObjectKey{Name: pvc.Namespace}, &pv)
	if apierrors.IsNotFound(err) && pvc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pvc, guard)
		return r.Update(ctx, pvc)
	}
	if err != nil {
		return err
	}
	if pv.DeletionTimestamp != nil {
		return nil // ok: it waits for the end of that
	}
	if pvc.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pvc, guard)
		return r.Update(ctx, pvc)
	}
	controllerutil.AddFinalizer(pvc, guard)
	return r.Update(ctx, pvc)
}

// together lets both go.
func (r *reconciler) together(ctx context.Context, svc *corev1.Service) error {
	var ns corev1.Namespace
	if err := r.Get(ctx, client.ObjectKey{Name: svc.Namespace}, &ns); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	if ns.DeletionTimestamp != nil || svc.DeletionTimestamp != nil { // ok
		controllerutil.RemoveFinalizer(svc, guard)
		return r.Update(ctx, svc)
	}
	controllerutil.AddFinalizer(svc, guard)
	return r.Update(ctx, svc)
}
