// Package counting has a reconciler that keeps count of what is there.
package counting

import (
	"context"
	"sync"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/optin/eventfilter/uncalled/sieves/sieve"
)

// Reconciler counts Secrets.
type Reconciler struct {
	client.Client
	mu    sync.Mutex
	known map[string]bool
}

// Setup watches with the predicates of another package.
func (r *Reconciler) Setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.Secret{}, builder.WithPredicates(sieve.Missed(), sieve.Held), sieve.Options()).
		Complete(r)
}

// Predicates are for others, whoever they are.
func Predicates() []predicate.Predicate { return []predicate.Predicate{sieve.Kept()} }

// Reconcile forgets what is gone.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found v1.Secret
	err := r.Get(ctx, req.NamespacedName, &found)
	if apierrors.IsNotFound(err) {
		delete(r.known, req.String())
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	r.known[req.String()] = true
	return ctrl.Result{}, nil
}
