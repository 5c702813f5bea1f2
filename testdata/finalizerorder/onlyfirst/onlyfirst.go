// Package onlyfirst has finalizers that are added only where an object has none at all.
package onlyfirst

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type scope struct {
	Pod *corev1.Pod
}

type reconciler struct {
	client.Client
}

// release takes it off again.
func (r *reconciler) release(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.RemoveFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// let takes it off a pod.
func (r *reconciler) let(ctx context.Context, s *scope) error {
	controllerutil.RemoveFinalizer(s.Pod, guard)
	return r.Update(ctx, s.Pod)
}

// counted asks how many there are.
func (r *reconciler) counted(ctx context.Context, s *scope) error {
	if len(s.Pod.GetFinalizers()) < 1 && s.Pod.GetDeletionTimestamp() == nil {
		s.Pod.SetFinalizers(append(s.Pod.GetFinalizers(), guard)) // want lateadd "s.Pod gets this finalizer only if it has no other one (line 36): with another one, s.Pod is deleted without this cleanup; use controllerutil.AddFinalizer" @36 "this tests for any finalizer"
		return r.Update(ctx, s.Pod)
	}
	return nil
}

// none asks whether there is a list.
func (r *reconciler) none(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Finalizers == nil {
		controllerutil.AddFinalizer(cm, guard) // want lateadd "cm gets this finalizer only if it has no other one (line 45): with another one, cm is deleted without this cleanup; use controllerutil.AddFinalizer" @45 "this tests for any finalizer"
		return r.Update(ctx, cm)
	}
	return nil
}

// early asks the other way round.
func (r *reconciler) early(ctx context.Context, cm *corev1.ConfigMap) error {
	if !cm.DeletionTimestamp.IsZero() || len(cm.Finalizers) > 0 {
		return nil
	}
	return r.guard(ctx, cm) // want lateadd "cm gets this finalizer only if it has no other one (line 54): with another one, cm is deleted without this cleanup; use controllerutil.AddFinalizer" @54 "this tests for any finalizer"
}

// guard adds it where it is called for that.
func (r *reconciler) guard(ctx context.Context, cm *corev1.ConfigMap) error {
	controllerutil.AddFinalizer(cm, guard)
	return r.Update(ctx, cm)
}

// asked asks for its own.
func (r *reconciler) asked(ctx context.Context, cm *corev1.ConfigMap) error {
	if !controllerutil.ContainsFinalizer(cm, guard) {
		controllerutil.AddFinalizer(cm, guard)
		return r.Update(ctx, cm)
	}
	return nil
}

// both sees to the objects that have some, too.
func (r *reconciler) both(ctx context.Context, cm *corev1.ConfigMap) error {
	if len(cm.Finalizers) == 0 {
		cm.Finalizers = []string{guard}
	} else if !controllerutil.ContainsFinalizer(cm, guard) {
		cm.Finalizers = append(cm.Finalizers, guard)
	}
	return r.Update(ctx, cm)
}

// some adds it beside those of others.
func (r *reconciler) some(ctx context.Context, cm *corev1.ConfigMap) error {
	if len(cm.Finalizers) > 0 {
		controllerutil.AddFinalizer(cm, guard)
		return r.Update(ctx, cm)
	}
	return nil
}

// other asks for the list of another object.
func (r *reconciler) other(ctx context.Context, cm *corev1.ConfigMap, pod *corev1.Pod) error {
	if len(pod.Finalizers) == 0 {
		controllerutil.AddFinalizer(cm, guard)
		return r.Update(ctx, cm)
	}
	return nil
}

// made is for an object that is only about to be created.
func (r *reconciler) made(ctx context.Context, name string) error {
	cm := &corev1.ConfigMap{}
	cm.Name = name
	if len(cm.Finalizers) == 0 {
		controllerutil.AddFinalizer(cm, guard)
	}
	return r.Create(ctx, cm)
}

// kept is for a kind of which nobody takes it off here: it guards nothing of this package.
func (r *reconciler) kept(ctx context.Context, secret *corev1.Secret) error {
	if len(secret.Finalizers) == 0 {
		controllerutil.AddFinalizer(secret, guard)
		return r.Update(ctx, secret)
	}
	return nil
}

const formerGuard = "example.com/former"

// renewed has a shorter way for those that have none.
func (r *reconciler) renewed(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Finalizers == nil {
		cm.SetFinalizers([]string{guard})
		return r.Update(ctx, cm)
	}
	var others []string
	for _, f := range cm.Finalizers {
		if f == guard {
			return nil
		}
		if f != formerGuard {
			others = append(others, f)
		}
	}
	others = append(others, guard)
	cm.SetFinalizers(others)
	return r.Update(ctx, cm)
}
