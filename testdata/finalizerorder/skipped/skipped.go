// Package skipped has finalizers that are added only where another one was not changed.
package skipped

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	former = "example.com/former"
	guard  = "example.com/guard"
	second = "example.com/second"
)

type machines interface {
	Reconcile(ctx context.Context, cm *corev1.ConfigMap) error
}

type reconciler struct {
	client.Client
	machines machines
}

// either skips the new one where there was a former one.
func (r *reconciler) either(ctx context.Context, cm *corev1.ConfigMap) (reconcile.Result, error) {
	if controllerutil.RemoveFinalizer(cm, former) || controllerutil.AddFinalizer(cm, guard) { // want lateadd "cm gets this finalizer only where RemoveFinalizer at line 31 has changed nothing: where it has, Reconcile at line 36 runs without it, and nothing guards what that makes; call both, then ask whether one has changed something" @31 "where this changes something, the addition is skipped" @36 "runs without the finalizer"
		if err := r.Update(ctx, cm); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, r.machines.Reconcile(ctx, cm)
}

// spelled is the same, with a variable in between.
func (r *reconciler) spelled(ctx context.Context, cm *corev1.ConfigMap) error {
	changed := controllerutil.RemoveFinalizer(cm, former)
	if !changed {
		changed = controllerutil.AddFinalizer(cm, guard) // want lateadd "cm gets this finalizer only where RemoveFinalizer at line 41 has changed nothing: where it has, Reconcile at line 50 runs without it, and nothing guards what that makes; call both, then ask whether one has changed something" @41 "where this changes something, the addition is skipped" @50 "runs without the finalizer"
	}
	if changed {
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// two skips the second one of a new object.
func (r *reconciler) two(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.AddFinalizer(cm, guard) || controllerutil.AddFinalizer(cm, second) { // want lateadd "cm gets this finalizer only where AddFinalizer at line 55 has changed nothing: where it has, ensure at line 60 runs without it, and nothing guards what that makes; call both, then ask whether one has changed something" @55 "where this changes something, the addition is skipped" @60 "runs without the finalizer"
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.ensure(ctx, cm)
}

func (r *reconciler) ensure(ctx context.Context, cm *corev1.ConfigMap) error {
	return r.machines.Reconcile(ctx, cm)
}

// drop says whether it has taken the finalizer off.
func drop(cm *corev1.ConfigMap, finalizer string) bool {
	i := slices.Index(cm.Finalizers, finalizer)
	if i < 0 {
		return false
	}
	cm.Finalizers = slices.Delete(cm.Finalizers, i, i+1)
	return true
}

// own asks a function of its own.
func (r *reconciler) own(ctx context.Context, cm *corev1.ConfigMap) error {
	if drop(cm, former) || controllerutil.AddFinalizer(cm, guard) { // want lateadd "cm gets this finalizer only where drop at line 79 has changed nothing: where it has, Reconcile at line 84 runs without it, and nothing guards what that makes; call both, then ask whether one has changed something" @79 "where this changes something, the addition is skipped" @84 "runs without the finalizer"
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// both makes both changes.
func (r *reconciler) both(ctx context.Context, cm *corev1.ConfigMap) error {
	changed := controllerutil.RemoveFinalizer(cm, former)
	changed = controllerutil.AddFinalizer(cm, guard) || changed // ok: it is made in any case
	if changed {
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// turns comes back for the second one before it does anything.
func (r *reconciler) turns(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.RemoveFinalizer(cm, former) || controllerutil.AddFinalizer(cm, guard) { // ok: the write brings it back
		return r.Update(ctx, cm)
	}
	return r.machines.Reconcile(ctx, cm)
}

// later adds it behind the first write.
func (r *reconciler) later(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.RemoveFinalizer(cm, former) || controllerutil.AddFinalizer(cm, guard) { // ok: it is added below
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	if controllerutil.AddFinalizer(cm, guard) {
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// removal takes two off, one after the other.
func (r *reconciler) removal(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.RemoveFinalizer(cm, former) || controllerutil.RemoveFinalizer(cm, second) { // ok: the write brings it back, and nothing is made
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// others are two objects.
func (r *reconciler) others(ctx context.Context, cm, parent *corev1.ConfigMap) error {
	if controllerutil.AddFinalizer(parent, guard) || controllerutil.AddFinalizer(cm, guard) { // ok: a change of one object says nothing of the other
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}

// only writes, and does nothing else.
func (r *reconciler) only(ctx context.Context, cm *corev1.ConfigMap) error {
	if controllerutil.RemoveFinalizer(cm, former) || controllerutil.AddFinalizer(cm, guard) { // ok: nothing is made here
		return r.Update(ctx, cm)
	}
	return nil
}

// has asks whether the former one is there.
func has(cm *corev1.ConfigMap) bool { return slices.Contains(cm.Finalizers, former) }

// kept stays with the former one, which guards as much.
func (r *reconciler) kept(ctx context.Context, cm *corev1.ConfigMap) error {
	if !has(cm) && controllerutil.AddFinalizer(cm, guard) { // ok: the former one is there otherwise
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return r.machines.Reconcile(ctx, cm)
}
