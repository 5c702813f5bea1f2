package unhandled

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Good drops conflicts only.
type Good struct{ client.Client }

func (r *Good) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	found.Status.Replicas = *found.Spec.Replicas
	if err := r.Status().Update(ctx, found); err != nil {
		if apierrors.IsConflict(err) {
			return ctrl.Result{}, nil // the event of the other update starts the next pass
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}
