// Package generic has predicates that look at generic events, which a watch of a kind never sends.
package generic

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &corev1.Pod{}))
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(never)).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(byBranches())).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(predicate.Funcs{
			GenericFunc: func(e event.GenericEvent) bool { return e.Object != nil && e.Object.GetName() == "settings" }, // want constant "this is asked about generic events alone, and the watch of ConfigMap has none: the predicate lets each creation, update and deletion through"
		})).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(byName), builder.WithPredicates(predicate.Funcs{
			UpdateFunc:  func(e event.UpdateEvent) bool { return e.ObjectNew.GetName() == "first" },
			GenericFunc: func(e event.GenericEvent) bool { return e.Object.GetName() == "first" }, // ok: it looks at updates, too
		})).
		WithEventFilter(predicate.Funcs{
			GenericFunc: func(e event.GenericEvent) bool { return e.Object.GetName() == "first" }, // ok: others may send such events
		}).
		Complete(r)
}

// never says no to all generic events, of which there are none.
var never = predicate.Funcs{GenericFunc: func(event.GenericEvent) bool { return false }} // ok: it is for completeness

func byBranches() predicate.Predicate {
	return predicate.Funcs{GenericFunc: func(e event.GenericEvent) bool { // want constant "this is asked about generic events alone, and the watch of Deployment has none: the predicate lets each creation, update and deletion through"
		if e.Object.GetNamespace() == "default" {
			return true
		}
		return false
	}}
}

func byName(_ context.Context, obj client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(obj)}}
}
