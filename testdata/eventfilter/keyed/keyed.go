// Package keyed has a reconciler that reads annotations, and predicates of another package that ask for some.
package keyed

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/keyed/asked"
	"example.com/operators/eventfilter/keyed/wishes"
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
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Now{}))). // want metadata `predicate.Or drops updates of *v1.Deployment that change only annotations, but (*Stopper).Reconcile reads the annotation "example.com/stop" at keyed.go:27: setting it triggers no reconcile; let them through` @27 "the annotation is read here"
		Complete(r)
}

func (r *Stopper) any(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Of{Key: "example.com/stop"}))). // ok: it may ask for that
		Complete(r)
}

func (r *Stopper) look(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Look{}))). // want metadata `predicate.Or drops updates of *v1.Deployment that change only annotations, but (*Stopper).Reconcile reads the annotation "example.com/stop" at keyed.go:27: setting it triggers no reconcile; let them through` @27 "the annotation is read here"
		Complete(r)
}

func (r *Stopper) many(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Many{}))). // ok: it counts all of them
		Complete(r)
}

// Looker acts on the wish to look at once.
type Looker struct{ client.Client }

func (r *Looker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if set.Annotations["example.com/stale"] != "" { // it takes that off itself
		return ctrl.Result{}, wishes.Drop(ctx, r.Client, set)
	}
	if set.Annotations["example.com/now"] == "true" {
		_ = fmt.Sprint("made by ", wishes.Creator(set)) // nothing is decided by that
		return ctrl.Result{}, r.Delete(ctx, &corev1.ConfigMap{})
	}
	return ctrl.Result{}, nil
}

func (r *Looker) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, asked.Now{}))). // ok: that is asked for
		Complete(r)
}
