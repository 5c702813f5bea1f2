// Package nilreturned has a status update that may fail, before another one.
package nilreturned

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Bad returns the error of Get, which is nil.
type Bad struct{ client.Client }

func (r *Bad) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	found := &appsv1.Deployment{}
	err := r.Get(ctx, req.NamespacedName, found)
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if *found.Spec.Replicas == 2 {
		return ctrl.Result{}, nil
	}
	found.Status.Replicas = 2
	statusErr := r.Status().Update(ctx, found)
	if statusErr != nil {
		return ctrl.Result{}, err // want nilreturned "err is nil here, so nil is returned although Status().Update has failed: return statusErr" @26 "this call has failed"
	}
	found.Spec.Replicas = ptr.To[int32](2)
	return ctrl.Result{}, r.Update(ctx, found)
}
