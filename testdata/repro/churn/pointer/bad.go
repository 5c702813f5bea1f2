// Package pointer has a reconciler that is to run where the size of a Deployment has changed.
package pointer

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// Reconciler stores the size in the status.
type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	found.Status.Replicas = *found.Spec.Replicas
	return ctrl.Result{}, r.Status().Update(ctx, found)
}

// Bad takes each update for a change of the size.
func Bad(e event.TypedUpdateEvent[client.Object]) bool {
	before, after := e.ObjectOld.(*appsv1.Deployment), e.ObjectNew.(*appsv1.Deployment)
	return before.Spec.Replicas != after.Spec.Replicas // want pointer "before.Spec.Replicas and after.Spec.Replicas are pointers: != compares their addresses, not what they point to; use ptr.Equal"
}
