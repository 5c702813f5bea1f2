// Package stays has reconcilers that come back by themselves where their last write has failed, or do not.
package stays

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// logsWrite logs that its last write has failed, and is done.
type logsWrite struct{ reconciler }

func (r *logsWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(svc, guard)
	if err := r.Update(ctx, svc); err != nil { // want unreachable "svc keeps its finalizer if Update fails here: the error is not returned, so the removal is never retried; return the error" @24 "this write removes the finalizer"
		klog.ErrorS(err, "releasing", "service", svc.Name)
	}
	return ctrl.Result{}, nil
}

// dropsWrite does not look whether its helper has written the object.
type dropsWrite struct{ reconciler }

func (r *dropsWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		err = r.cloud.Delete(ctx, svc.Name)
		if err == nil {
			r.release(ctx, svc) // want unreachable "svc keeps its finalizer if release fails here: the error is not returned, so the removal is never retried; return the error" @41 "this write removes the finalizer"
		}
	}
	return ctrl.Result{}, err
}

func (r *reconciler) release(ctx context.Context, svc *corev1.Service) error {
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// silentHelper has a helper that tells nobody.
type silentHelper struct{ reconciler }

func (r *silentHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !svc.DeletionTimestamp.IsZero() {
		r.drop(ctx, svc)
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, nil
}

func (r *silentHelper) drop(ctx context.Context, svc *corev1.Service) {
	svc.Finalizers = nil
	if err := r.Update(ctx, svc); err != nil { // want unreachable "svc keeps its finalizer if Update fails here: the error is not returned, so the removal is never retried; return the error" @69 "this write removes the finalizer"
		klog.ErrorS(err, "releasing", "service", svc.Name)
	}
}

// returnsWrite says that it has failed.
type returnsWrite struct{ reconciler }

func (r *returnsWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(svc, guard)
	if err := r.Update(ctx, svc); err != nil {
		klog.ErrorS(err, "releasing", "service", svc.Name)
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: gone is gone
	}
	return ctrl.Result{}, nil
}

// asksWrite lets a conflict pass: what has been written meanwhile is an event.
type asksWrite struct{ reconciler }

func (r *asksWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	err = r.release(ctx, svc)
	if apierrors.IsConflict(err) {
		return ctrl.Result{}, nil // ok: it is seen again
	}
	return ctrl.Result{}, err
}

// notesFailure writes down that it has failed, which is an event.
type notesFailure struct{ reconciler }

func (r *notesFailure) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc, err := r.get(ctx, req)
	if err != nil || svc.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	if err := r.release(ctx, svc); err != nil {
		svc.Status.LoadBalancer.Ingress = nil
		_ = r.Status().Update(ctx, svc) // ok: its own update brings it back
	}
	return ctrl.Result{}, nil
}

var _ = []any{(*logsWrite).Reconcile, (*dropsWrite).Reconcile, (*silentHelper).Reconcile, (*returnsWrite).Reconcile, (*asksWrite).Reconcile, (*notesFailure).Reconcile}

const guard = "example.com/guard"

// A cloud has balancers.
type cloud interface {
	Delete(ctx context.Context, id string) error
}

type reconciler struct {
	client.Client
	cloud cloud
}

func (r *reconciler) get(ctx context.Context, req ctrl.Request) (*corev1.Service, error) {
	svc := &corev1.Service{}
	err := r.Get(ctx, req.NamespacedName, svc)
	return svc, client.IgnoreNotFound(err)
}
