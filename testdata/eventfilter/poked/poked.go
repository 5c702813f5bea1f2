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
		e.Object.GetAnnotations()["example.com/poked"] = "yes" // want mutates "this filter stores state in Annotations of the event's Object: the next update of the cached object, or a restart, loses it; keep it elsewhere"
		return true
	}}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}, builder.WithPredicates(count)).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.latest)).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(r.marked)).
		WatchesRawSource(source.Channel(r.pokes, &handler.EnqueueRequestForObject{})).
		Complete(r)
}

// latest reads the object again: the cache gets the same.
func (r *reconciler) latest(ctx context.Context, o client.Object) []ctrl.Request {
	if err := r.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil { // ok
		return nil
	}
	return []ctrl.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}

// marked reads it again and then writes to it.
func (r *reconciler) marked(ctx context.Context, o client.Object) []ctrl.Request {
	if err := r.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		return nil
	}
	o.SetLabels(nil) // want mutates "(*reconciler).marked mutates Labels of the object: the object is shared with the informer cache; modify a DeepCopy"
	return []ctrl.Request{{NamespacedName: client.ObjectKeyFromObject(o)}}
}
