// Package settled has a reconciler that does nothing about an object that is gone.
package settled

import (
	"context"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/optin/eventfilter/uncalled/sieves/sieve"
)

// Reconciler writes the status of ConfigMaps.
type Reconciler struct{ client.Client }

// Setup watches with the predicates of another package.
func (r *Reconciler) Setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.ConfigMap{}, builder.WithPredicates(predicate.And(sieve.Settled(), sieve.Missed(), sieve.Twice(), sieve.Typed{}))).
		Complete(r)
}

// Others are for others, whoever they are.
func Others() []predicate.Predicate { return []predicate.Predicate{sieve.Twice()} }

// Reconcile ends where there is none.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var found v1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &found); err != nil {
		return checked(err)
	}
	found.Annotations = map[string]string{"seen": "yes"}
	return ctrl.Result{}, r.Update(ctx, &found)
}

// checked fills in a result.
func checked(err error) (ctrl.Result, error) {
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{Requeue: true}, err
}
