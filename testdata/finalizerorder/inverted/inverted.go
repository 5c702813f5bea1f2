// Package inverted asks the wrong way round whether something is gone.
package inverted

import (
	"context"
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// node waits until its set is gone, or so it says.
func (r *reconciler) node(ctx context.Context, obj *corev1.Node) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	gone, err := r.isGone(ctx, obj.Name) // want unreachable "obj keeps its finalizer once its DaemonSet is gone: this looks it up, and fails then, and nothing comes to line 31, where the finalizer goes; handle the deletion first, or let it pass where there is none" @31 "the finalizer goes here" @37 "this looks it up"
	if err != nil {
		return err
	}
	if !gone {
		return errors.New("not yet")
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) isGone(ctx context.Context, name string) (bool, error) {
	set := &appsv1.DaemonSet{}
	err := r.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, set)
	if err != nil {
		if !apierrors.IsNotFound(err) {
			return true, nil // want removedonerror "this says that all is well where the lookup at line 37 has failed, and fails where it has found nothing: obj loses its finalizer, at line 31, for the one, and keeps it for the other; ask the other way round" @37 "the lookup" @31 "the finalizer goes here"
		}
		return false, err
	}
	return false, nil
}

// pod asks the right way round.
func (r *reconciler) pod(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	gone, err := r.hasGone(ctx, obj.Name)
	if err != nil {
		return err
	}
	if !gone {
		return errors.New("not yet")
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) hasGone(ctx context.Context, name string) (bool, error) {
	set := &appsv1.DaemonSet{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, set); err != nil {
		if !apierrors.IsNotFound(err) {
			return false, err
		}
		return true, nil // ok
	}
	return false, nil
}

// service needs what it looks up, and does without where it cannot be read.
func (r *reconciler) service(ctx context.Context, obj *corev1.Service) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.seen(ctx, obj.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) seen(ctx context.Context, name string) error {
	err := r.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, &appsv1.DaemonSet{})
	if apierrors.IsForbidden(err) {
		return nil // ok: it is asked for another kind of failure
	}
	return client.IgnoreNotFound(err)
}

// claim says "not yet" where it cannot be read.
func (r *reconciler) claim(ctx context.Context, obj *corev1.PersistentVolumeClaim) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	ready, err := r.isReady(ctx, obj.Name) // want unreachable "obj keeps its finalizer once its DaemonSet is gone: this looks it up, and fails then, and nothing comes to line 103, where the finalizer goes; handle the deletion first, or let it pass where there is none" @103 "the finalizer goes here" @109 "this looks it up"
	if err != nil || !ready {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) isReady(ctx context.Context, name string) (bool, error) {
	set := &appsv1.DaemonSet{}
	err := r.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, set)
	if err != nil {
		if !apierrors.IsNotFound(err) {
			return false, nil // ok
		}
		return false, err
	}
	return true, nil
}
