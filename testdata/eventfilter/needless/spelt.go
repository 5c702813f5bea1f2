package needless

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func done() (ctrl.Result, error) { return ctrl.Result{}, nil }

func failed() (ctrl.Result, error) { return ctrl.Result{}, errors.New("gone") }

// spelt has functions for its results.
type spelt struct{ client.Client }

// Reconcile does nothing about what is gone.
func (r *spelt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	limit := &corev1.LimitRange{}
	if err := r.Get(ctx, req.NamespacedName, limit); err != nil {
		if apierrors.IsNotFound(err) {
			return done()
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, limit)
}

func (r *spelt) setup(mgr ctrl.Manager) error {
	known := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // ok: nobody misses it
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.LimitRange{}, builder.WithPredicates(known)).Complete(r)
}

// speltOut is told of what is gone by an error.
type speltOut struct{ client.Client }

// Reconcile does something about what is gone.
func (r *speltOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	limit := &corev1.LimitRange{}
	if err := r.Get(ctx, req.NamespacedName, limit); err != nil {
		if apierrors.IsNotFound(err) {
			return failed()
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, limit)
}

func (r *speltOut) setup(mgr ctrl.Manager) error {
	known := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.LimitRange{}, builder.WithPredicates(known)).Complete(r)
}

var _, _ = (*spelt).setup, (*speltOut).setup
