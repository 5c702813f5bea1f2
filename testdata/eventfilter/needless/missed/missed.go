// Package missed has a controller whose reconciler is handed over as an interface.
package missed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/eventfilter/needless/filtering"
)

type reconciler struct {
	client.Client
	gone func(name string) error
}

// Reconcile tells somebody that it is gone.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, r.gone(req.Name)
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// Add sets the controller up.
func Add(mgr ctrl.Manager, gone func(string) error) error {
	return add(mgr, &reconciler{mgr.GetClient(), gone})
}

func add(mgr ctrl.Manager, r reconcile.Reconciler) error {
	return builder.ControllerManagedBy(mgr).For(&corev1.ConfigMap{}, builder.WithPredicates(filtering.Funcs{
		Deleted: func(e event.DeleteEvent) bool {
			return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
		},
	})).Complete(r)
}
