// Package garden has a reconciler that others set up.
package garden

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const waterNow = "garden.example.com/water-now"

// Waterer reads an annotation that users set.
type Waterer struct {
	client.Client
	Watered int
}

func (r *Waterer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations[waterNow] == "true" {
		r.Watered++
	}
	return ctrl.Result{}, nil
}

// Looker reads nothing but the spec.
type Looker struct{ client.Client }

func (r *Looker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(pod.Spec.Containers) > 3 {
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{}, nil
}

// Closer takes its finalizer away.
type Closer struct{ client.Client }

func (r *Closer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owner := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, owner); err != nil {
		return ctrl.Result{}, err
	}
	if owner.Status.ReadyReplicas == 0 && !pod.DeletionTimestamp.IsZero() && controllerutil.RemoveFinalizer(pod, waterNow) {
		return ctrl.Result{}, r.Update(ctx, pod)
	}
	return ctrl.Result{}, nil
}
