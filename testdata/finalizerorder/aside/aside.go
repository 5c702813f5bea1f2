// Package aside cleans up beside the removal of a finalizer, behind it, and only where there is something to clean up.
package aside

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	shed  = "garden.example.com/shed"
	fence = "garden.example.com/fence"
	leave = "garden.example.com/leave-the-rubble"
)

// Digger is a contractor, who is reached by telephone.
type Digger interface {
	Demolish(ctx context.Context, plot string) error
	Fill(ctx context.Context, pit string) error
	Warn(ctx context.Context, plot string) error
	Gone(ctx context.Context, plot string) (bool, error)
}

type reconciler struct {
	client.Client
	digger Digger
}

// rear demolishes when nobody will ask again.
func (r *reconciler) rear(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	return r.digger.Demolish(ctx, cm.Name) // want writeafterremoval "cm may be gone when Demolish runs: line 37 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @37 "the finalizer is removed here"
}

// rearTested looks at the error, and returns it.
func (r *reconciler) rearTested(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	base := cm.DeepCopy()
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Patch(ctx, cm, client.MergeFrom(base)); err != nil {
		return err
	}
	if err := r.digger.Demolish(ctx, cm.Name); err != nil { // want writeafterremoval "cm may be gone when Demolish runs: line 50 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @50 "the finalizer is removed here"
		return err
	}
	return nil
}

// front demolishes first.
func (r *reconciler) front(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := r.digger.Demolish(ctx, cm.Name); err != nil { // ok: before the removal
		return err
	}
	controllerutil.RemoveFinalizer(cm, shed)
	return r.Update(ctx, cm)
}

// sweeps does what it can afterwards.
func (r *reconciler) sweeps(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, shed)
	if err := r.Update(ctx, cm); err != nil {
		return err
	}
	_ = r.digger.Fill(ctx, cm.Name) // ok: best effort, which nobody wants to try again
	return nil
}

// shedFirst takes one of two, and the fence keeps the object.
func (r *reconciler) shedFirst(ctx context.Context, secret *corev1.Secret) error {
	if secret.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(secret, shed)
	if err := r.Update(ctx, secret); err != nil {
		return err
	}
	return r.digger.Demolish(ctx, secret.Name) // ok: it still has the other one, and so is there the next time
}

// fenceLast takes the other one.
func (r *reconciler) fenceLast(ctx context.Context, secret *corev1.Secret) error {
	if secret.DeletionTimestamp.IsZero() {
		return nil
	}
	controllerutil.RemoveFinalizer(secret, fence)
	return r.Update(ctx, secret)
}

// overwritten forgets what the first one has said.
func (r *reconciler) overwritten(ctx context.Context, node *corev1.Node) (err error) {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if node.Status.Phase != "" {
		err = r.digger.Demolish(ctx, string(node.Status.Phase))
	}
	err = r.digger.Fill(ctx, node.Name)
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // want removedonerror "node loses its finalizer even if Demolish (line 111) fails: the cleanup is never retried; return the error first" @111 "the error of this cleanup is ignored"
	return r.Update(ctx, node)
}

// oneByOne returns each.
func (r *reconciler) oneByOne(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if node.Status.Phase != "" {
		if err := r.digger.Demolish(ctx, string(node.Status.Phase)); err != nil {
			return err
		}
	}
	if err := r.digger.Fill(ctx, node.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // ok: both are done, or there was nothing to do
	return r.Update(ctx, node)
}

// lenient lets it go where its owner says so.
func (r *reconciler) lenient(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := r.digger.Demolish(ctx, node.Name); err != nil && node.Annotations[leave] != "true" {
		return err
	}
	controllerutil.RemoveFinalizer(node, shed) // ok: whoever set the annotation wants it
	return r.Update(ctx, node)
}

// looks asks for it to be done, as well as may be, and then goes and looks.
func (r *reconciler) looks(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	_ = r.digger.Demolish(ctx, node.Name)
	gone, err := r.digger.Gone(ctx, node.Name)
	if err != nil {
		return err
	}
	if gone {
		controllerutil.RemoveFinalizer(node, shed) // ok: it has seen that it is gone
		return r.Update(ctx, node)
	}
	return nil
}

var _ = []any{
	(*reconciler).rear, (*reconciler).rearTested, (*reconciler).front, (*reconciler).sweeps, (*reconciler).shedFirst, (*reconciler).fenceLast,
	(*reconciler).overwritten, (*reconciler).oneByOne, (*reconciler).lenient, (*reconciler).looks,
}
