package handlers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// onNew wants the nodes that nobody has looked after yet: those whose status says something have been seen.
type onNew struct{}

func (onNew) Create(_ context.Context, e event.CreateEvent, q queue) {
	node := e.Object.(*corev1.Node)
	if len(node.Status.Addresses) > 0 {
		return
	}
	q.Add(reconcile.Request{})
}

func (onNew) Update(_ context.Context, e event.UpdateEvent, q queue) { // ok
	old, now := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
	if old.Spec.Unschedulable != now.Spec.Unschedulable {
		q.Add(reconcile.Request{})
	}
}

func (onNew) Delete(context.Context, event.DeleteEvent, queue) {}

func (onNew) Generic(context.Context, event.GenericEvent, queue) {}
