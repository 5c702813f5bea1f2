// Package poked has a reconciler that is also asked for through a channel, so that there are generic events.
package poked

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type reconciler struct {
	client.Client
	pokes chan event.GenericEvent
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &corev1.ConfigMap{}))
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	count := predicate.Funcs{GenericFunc: func(e event.GenericEvent) bool {
		e.Object.GetAnnotations()["example.com/poked"] = "yes" // want mutates "this filter writes to an entry of Annotations of the event's Object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
		return true
	}}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}, builder.WithPredicates(count)).
		WatchesRawSource(source.Channel(r.pokes, &handler.EnqueueRequestForObject{})).
		Complete(r)
}
