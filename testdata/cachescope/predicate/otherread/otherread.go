// Package otherread reads others than it watches.
package otherread

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
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(named("a"))). // ok: b is read, too
		Owns(&corev1.Service{}, builder.WithPredicates(labelled)).     // ok: another value is read
		Owns(&corev1.Pod{}, builder.WithPredicates(labelled)).         // ok: any value is read
		Owns(&corev1.Secret{}, builder.WithPredicates(named("a"))).    // ok: all are read, too
		Complete(r)
}

func named(name string) predicate.Predicate {
	return predicate.NewPredicateFuncs(func(obj client.Object) bool { return obj.GetName() == name })
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: "b"}, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.List(ctx, &corev1.ServiceList{}, client.MatchingLabels{"tier": "back"}); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.List(ctx, &corev1.PodList{}, client.MatchingLabels{"tier": req.Name}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.List(ctx, &corev1.SecretList{})
}

var labelled = predicate.NewPredicateFuncs(func(obj client.Object) bool { return obj.GetLabels()["tier"] == "front" })
