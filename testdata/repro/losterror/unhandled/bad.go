// Package unhandled has a status update that may fail.
package unhandled

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Bad drops all errors where it means conflicts.
type Bad struct{ client.Client }

func (r *Bad) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	found.Status.Replicas = *found.Spec.Replicas
	if err := r.Status().Update(ctx, found); err != nil { // want unhandled "errors of Status().Update other than Conflict are dropped here: return them, or the status is never retried" @29 "nil is returned here"
		if apierrors.IsConflict(err) {
			return ctrl.Result{}, nil // the event of the other update starts the next pass
		}
		log.FromContext(ctx).Error(err, "the status is not updated")
	}
	return ctrl.Result{}, nil
}
