// Package absent cleans up what may be gone.
package absent

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type droplet struct{ id string }

type cloud interface {
	Find(ctx context.Context, name string) (*droplet, error)
	Delete(ctx context.Context, id string) error
}

type scope struct{ pod *corev1.Pod }

type reconciler struct {
	client.Client
	cloud cloud
}

// returns without its finalizer where the droplet is gone.
func (r *reconciler) deleted(ctx context.Context, s *scope) (ctrl.Result, error) {
	pod := s.pod
	found, err := r.cloud.Find(ctx, pod.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if found == nil {
		return ctrl.Result{}, nil // want unreachable "pod keeps its finalizer if what Find looks up (line 34) is gone: this returns before line 44 removes it; remove it then, too" @34 "looked up here" @44 "the finalizer is removed here"
	}
	if err := r.cloud.Delete(ctx, found.id); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return ctrl.Result{}, nil
}

// fails for ever where it is gone.
func (r *reconciler) failing(ctx context.Context, node *corev1.Node) error {
	found, err := r.cloud.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if found == nil {
		return errors.New("no such droplet") // want unreachable "node keeps its finalizer if what Find looks up (line 50) is gone: this returns before line 60 removes it; remove it then, too" @50 "looked up here" @60 "the finalizer is removed here"
	}
	if err := r.cloud.Delete(ctx, found.id); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(node, guard)
	return r.Update(ctx, node)
}

// lets it go where there is nothing to delete.
func (r *reconciler) right(ctx context.Context, s *scope) (ctrl.Result, error) {
	found, err := r.cloud.Find(ctx, s.pod.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if found != nil { // ok: it goes on below
		if err := r.cloud.Delete(ctx, found.id); err != nil {
			return ctrl.Result{}, err
		}
	}
	controllerutil.RemoveFinalizer(s.pod, guard)
	return ctrl.Result{}, nil
}

// waiting asks to come back.
func (r *reconciler) waiting(ctx context.Context, s *scope) (ctrl.Result, error) {
	found, err := r.cloud.Find(ctx, s.pod.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if found == nil {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // ok: it may wait on purpose
	}
	if err := r.cloud.Delete(ctx, found.id); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(s.pod, guard)
	return ctrl.Result{}, nil
}

func (r *reconciler) owner(ctx context.Context, s *scope) (*corev1.Node, error) {
	var node corev1.Node
	return &node, r.Get(ctx, client.ObjectKey{Name: s.pod.Spec.NodeName}, &node)
}

func (r *reconciler) drain(context.Context, *scope) error { return nil }

// needing looks up what the cleanup needs, and not what it cleans up.
func (r *reconciler) needing(ctx context.Context, s *scope) (ctrl.Result, error) {
	node, err := r.owner(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	if node == nil {
		return ctrl.Result{}, nil // ok: it may come
	}
	if err := r.drain(ctx, s); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(s.pod, guard)
	return ctrl.Result{}, nil
}

// locate gives nothing where there is no droplet.
func (r *reconciler) locate(ctx context.Context, s *scope, c cloud) (*droplet, error) {
	return c.Find(ctx, s.pod.Name)
}

// handed looks up by the service that deletes.
func (r *reconciler) handed(ctx context.Context, s *scope, c cloud) (ctrl.Result, error) {
	found, err := r.locate(ctx, s, c)
	if err != nil {
		return ctrl.Result{}, err
	}
	if found == nil {
		return ctrl.Result{}, nil // want unreachable "s.pod keeps its finalizer if what locate looks up (line 125) is gone: this returns before line 135 removes it; remove it then, too" @125 "looked up here" @135 "the finalizer is removed here"
	}
	if err := c.Delete(ctx, s.pod.Name); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(s.pod, guard)
	return ctrl.Result{}, nil
}

// another deletes by another service than it looks up by.
func (r *reconciler) another(ctx context.Context, s *scope, c, d cloud) (ctrl.Result, error) {
	found, err := r.locate(ctx, s, c)
	if err != nil {
		return ctrl.Result{}, err
	}
	if found == nil {
		return ctrl.Result{}, nil // ok: the cleanup may need it
	}
	if err := d.Delete(ctx, s.pod.Name); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(s.pod, guard)
	return ctrl.Result{}, nil
}
