// Package twonames wants two objects, which one selector cannot say.
package twonames

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type reconciler struct{ client.Client }

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{mgr.GetClient()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Or(named("a"), named("b")))). // ok: in one predicate
		Owns(&corev1.Secret{}, builder.WithPredicates(named("a"))).                              // ok: in two
		Owns(&corev1.Secret{}, builder.WithPredicates(named("b"))).
		Owns(&corev1.Service{}, builder.WithPredicates(predicate.NewPredicateFuncs(either))). // ok: in one function
		Owns(&corev1.Pod{}, builder.WithPredicates(predicate.NewPredicateFuncs(other))).      // ok: all but one
		Owns(&corev1.Endpoints{}, builder.WithPredicates(predicate.Not(named("a")))).         // ok: all but one
		Complete(r)
}

func named(name string) predicate.Predicate {
	return predicate.NewPredicateFuncs(func(obj client.Object) bool { return obj.GetName() == name })
}

func either(obj client.Object) bool { return obj.GetName() == "a" || obj.GetName() == "b" }

func other(obj client.Object) bool { return obj.GetName() != "a" }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}
