// Package applied has a reconciler that notes in an annotation what it has applied.
package applied

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const prefix = "example.com"

var (
	applied = fmt.Sprintf("%s/%s", prefix, "applied")
	other   = fmt.Sprintf("%s/%s", prefix, "other")
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, err
	}
	if d.Annotations["example.com/applied"] == d.ResourceVersion || d.Annotations["example.com/asked"] != "" {
		return ctrl.Result{}, nil
	}
	d.Annotations[applied] = d.ResourceVersion
	d.Annotations[other] = "yes"
	return ctrl.Result{}, r.Update(ctx, d)
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want metadata `predicate.GenerationChangedPredicate drops updates of *v1.Deployment that change only annotations, but (*reconciler).Reconcile reads the annotation "example.com/asked" at applied.go:29: setting it triggers no reconcile; let them through` @29 "the annotation is read here"
		Complete(r)
}
