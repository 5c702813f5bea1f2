// Package unwritten loses an error on the way to the removal of a finalizer.
package unwritten

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type balancers interface {
	RemoveRecord(ctx context.Context, name string) error
}

type reconciler struct {
	client.Client
	balancers balancers
}

// last looks at the error of the last record alone.
func (r *reconciler) last(ctx context.Context, svc *corev1.Service) error {
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var err error
	for _, port := range svc.Spec.Ports {
		err = r.balancers.RemoveRecord(ctx, svc.Name+port.Name)
	}
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(svc, guard) // want removedonerror "svc loses its finalizer even if RemoveRecord (line 30) fails: the cleanup is never retried; return the error first" @30 "the error of this cleanup is ignored"
	return r.Update(ctx, svc)
}

// first ends the loop where one fails.
func (r *reconciler) first(ctx context.Context, svc *corev1.Service) error { // ok
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var err error
	for _, port := range svc.Spec.Ports {
		if err = r.balancers.RemoveRecord(ctx, svc.Name+port.Name); err != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}

// kept keeps that one has failed.
func (r *reconciler) kept(ctx context.Context, svc *corev1.Service) error { // ok
	if svc.DeletionTimestamp == nil {
		return nil
	}
	var failed error
	for _, port := range svc.Spec.Ports {
		if err := r.balancers.RemoveRecord(ctx, svc.Name+port.Name); err != nil {
			failed = err
		}
	}
	if failed != nil {
		return failed
	}
	controllerutil.RemoveFinalizer(svc, guard)
	return r.Update(ctx, svc)
}
