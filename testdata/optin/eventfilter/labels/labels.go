// Package labels has a reconciler that decides by a label.
package labels

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const holiday = "garden.example.com/holiday"

type waterer struct{ client.Client }

func (w *waterer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &appsv1.Deployment{}
	if err := w.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if garden.Labels[holiday] == "true" {
		return ctrl.Result{}, nil
	}
	garden.Spec.Replicas = new(int32)
	return ctrl.Result{}, w.Update(ctx, garden)
}

func (w *waterer) forgotten(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want labels `predicate.GenerationChangedPredicate drops updates of *v1.Deployment that change only labels, but (*waterer).Reconcile reads the label "garden.example.com/holiday" at labels.go:23: who sets it waits for an unrelated event` @23 "the label is read here"
		Complete(w)
}

func (w *waterer) either(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{}))). // ok
		Complete(w)
}
