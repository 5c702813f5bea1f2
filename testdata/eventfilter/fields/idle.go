package fields

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// wakes queues the garden of an object that is there.
type wakes struct{}

func (wakes) Create(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) }

func (wakes) Update(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) }

func (wakes) Delete(_ context.Context, e event.DeleteEvent, _ handlerQueue) { // want deletion "wakes.Delete, which does nothing, drops the deletions of *v1.ConfigMap, but (*Planner).Reconcile makes such an object where there is none (line 46): one that somebody deletes stays away until something else queues its owner" @gone.go:46 "the object is made here" @37 "the kind is watched here"
	klog.InfoS("a plan is gone", "name", e.Object.GetName())
}

func (wakes) Generic(context.Context, event.GenericEvent, handlerQueue) {}

// wakesAlways queues it for one that is gone, too.
type wakesAlways struct{ wakes }

func (wakesAlways) Delete(_ context.Context, e event.DeleteEvent, q handlerQueue) {
	enqueue(e.Object, q)
}

// wakesToo has all of the other one.
type wakesToo struct{ wakesAlways }

func (r *Planner) idle(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, wakes{}).Complete(r)
}

func (r *Planner) busy(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, &wakesAlways{}).Complete(r) // ok: it queues
}

func (r *Planner) promoted(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, wakesToo{}).Complete(r) // ok: it has that of the other one
}

func (r *Planner) emptied(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
			DeleteFunc: func(context.Context, event.DeleteEvent, handlerQueue) {}, // want deletion "this handler, which does nothing, drops the deletions of *v1.ConfigMap, but (*Planner).Reconcile makes such an object where there is none (line 46): one that somebody deletes stays away until something else queues its owner" @gone.go:46 "the object is made here" @51 "the kind is watched here"
		}).
		Complete(r)
}

var _ = []any{(*Planner).idle, (*Planner).busy, (*Planner).promoted, (*Planner).emptied}
