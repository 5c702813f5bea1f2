package dropped

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/dropped/ends"
)

// ended comes back after a period, as another package sees to.
type ended struct {
	client.Client
	ends.Base
	period time.Duration
}

// Reconcile comes back wherever it succeeds.
func (r *ended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var garden Garden
	if err := r.Get(ctx, req.NamespacedName, &garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(garden.Spec.Beds) == 0 {
		return r.end(nil)
	}
	return r.end(r.Update(ctx, &garden))
}

func (r *ended) end(err error) (ctrl.Result, error) { return r.After(err, r.period) }

// SetupWithManager watches secrets.
func (r *ended) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // ok: it comes back
		Complete(r)
}

// onceEnded ends with what another package says, and gives it no time.
type onceEnded struct {
	client.Client
	ends.Base
}

// Reconcile does not come back.
func (r *onceEnded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var garden Garden
	if err := r.Get(ctx, req.NamespacedName, &garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return r.After(r.Update(ctx, &garden), 0)
}

// SetupWithManager watches secrets.
func (r *onceEnded) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // nobody comes back // want drift "predicate.GenerationChangedPredicate drops every update of *v1.Secret (watched at line 64): the API server never changes metadata.generation of this kind; what others change of them stays until something else wakes the reconciler" @64 "*v1.Secret is watched here"
		Complete(r)
}
