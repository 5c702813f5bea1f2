package again

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// lastOne cleans up once no other finalizer is there: without its own, there is no object.
type lastOne struct{ reconciler }

func (r *lastOne) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if svc.DeletionTimestamp.IsZero() && controllerutil.AddFinalizer(svc, guard) {
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	if !svc.DeletionTimestamp.IsZero() && len(svc.Finalizers) == 1 {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // ok
}

// ofTwo has others beside it.
type ofTwo struct{ reconciler }

func (r *ofTwo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if svc.DeletionTimestamp.IsZero() && controllerutil.AddFinalizer(svc, guard) {
		return ctrl.Result{}, r.Update(ctx, svc)
	}
	if !svc.DeletionTimestamp.IsZero() && len(svc.Finalizers) == 2 {
		if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, svc)
	}
	return ctrl.Result{}, r.cloud.CreateBalancer(ctx, svc.Name) // want writeafterremoval "svc may be on its way out, its finalizer gone, when CreateBalancer runs for it here: line 38 lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted" @47 "this is made again" @45 "the finalizer goes here"
}
