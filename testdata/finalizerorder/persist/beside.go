package persist

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A factory makes things for pods, and keeps these.
type factory interface {
	Start(pod *corev1.Pod)
}

// beside gives living pods alone to whoever keeps them.
func (r *reconciler) beside(ctx context.Context, key client.ObjectKey, f factory) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !pod.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(pod, guard) // want statusonly "pod loses a finalizer here in memory only: the write at line 24 is one of its status, and the API server ignores metadata there; update the object itself" @24 "the only write that follows"
		return r.Status().Update(ctx, pod)
	}
	f.Start(pod)
	return nil
}

// before has given the pod to it already.
func (r *reconciler) before(ctx context.Context, key client.ObjectKey, f factory) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	f.Start(pod)
	if !pod.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(pod, guard) // ok: it may write it
		return r.Status().Update(ctx, pod)
	}
	return nil
}

// after gives it the pod with the change.
func (r *reconciler) after(ctx context.Context, key client.ObjectKey, f factory) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !pod.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(pod, guard) // ok: it may write it
		f.Start(pod)
	}
	return nil
}
