// Package keyed has a reconciler that reads annotations, and predicates of another package that ask for some.
package keyed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	appsv1 "k8s.io/api/apps/v1"

	"example.com/operators/eventfilter/keyed/asked"
)

// Stopper acts on a wish to stop, and on one to look at once.
type Stopper struct{ client.Client }

func (r *Stopper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if set.Annotations["example.com/stop"] == "true" {
		return ctrl.Result{}, r.Delete(ctx, &corev1.ConfigMap{})
	}
	return ctrl.Result{}, nil
}

func (r *Stopper) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Now{}))). // want metadata `predicate.Or drops updates of *v1.Deployment that change only annotations, but (*Stopper).Reconcile reads the annotation "example.com/stop" at keyed.go:26: who sets it waits for an unrelated event` @26 "the annotation is read here"
		Complete(r)
}

func (r *Stopper) any(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Of{Key: "example.com/stop"}))). // ok: it may ask for that
		Complete(r)
}

// Looker acts on the wish to look at once.
type Looker struct{ client.Client }

func (r *Looker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if set.Annotations["example.com/now"] == "true" {
		return ctrl.Result{}, r.Delete(ctx, &corev1.ConfigMap{})
	}
	return ctrl.Result{}, nil
}

func (r *Looker) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Now{}))). // ok: that is asked for
		Complete(r)
}
