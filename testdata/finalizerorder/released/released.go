// Package released lets go of objects before and after those that they refer to, and of such that nobody has read.
package released

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct{ client.Client }

// own lets go of the object before it lets go of what that refers to.
func (r *reconciler) own(ctx context.Context, cm *corev1.ConfigMap, others []string) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, "example.com/kept")
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	for _, name := range others {
		var s corev1.Secret
		if err := r.Get(ctx, client.ObjectKey{Namespace: cm.Namespace, Name: name}, &s); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(&s, "example.com/used")
		if err := r.Update(ctx, &s); err != nil { // want writeafterremoval "cm may be gone when Update runs: line 20 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @20 "the finalizer is removed here"
			return err
		}
	}
	return nil
}

// once does so, too, and comes to the second step only with the finalizer.
func (r *reconciler) once(ctx context.Context, cm *corev1.ConfigMap, each func(func(*corev1.Secret) error) error) error {
	if !controllerutil.ContainsFinalizer(cm, "example.com/kept") {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, "example.com/kept")
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	return each(func(s *corev1.Secret) error { // want writeafterremoval "cm may be gone when each runs: line 42 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @42 "the finalizer is removed here"
		controllerutil.RemoveFinalizer(s, "example.com/used")
		return r.Update(ctx, s)
	})
}

// last lets go of what it refers to first.
func (r *reconciler) last(ctx context.Context, cm *corev1.ConfigMap, name string) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	var s corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: cm.Namespace, Name: name}, &s); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(&s, "example.com/used")
	if err := r.Update(ctx, &s); err != nil { // ok
		return err
	}
	controllerutil.RemoveFinalizer(cm, "example.com/kept")
	return r.Update(ctx, cm)
}

var _ = []any{(*reconciler).own, (*reconciler).once, (*reconciler).last}

// both is given both objects: who looks after the first one comes again for the second.
func (r *reconciler) both(ctx context.Context, cm *corev1.ConfigMap, s *corev1.Secret) error {
	if cm.DeletionTimestamp.IsZero() || s.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(s, "example.com/used")
	if err := r.Update(ctx, s); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, "example.com/kept")
	return r.Update(ctx, cm) // ok
}

var _ = (*reconciler).both

// twin lets go of two objects of one name, each when it is being deleted.
func (r *reconciler) twin(ctx context.Context, cm *corev1.ConfigMap) error {
	if !cm.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(cm, "example.com/kept")
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	var s corev1.Secret
	if err := r.Get(ctx, client.ObjectKeyFromObject(cm), &s); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !s.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(&s, "example.com/used")
		return r.Update(ctx, &s) // ok: the secret comes again for itself
	}
	return nil
}

var _ = (*reconciler).twin
