package handlers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// onNamed turns nodes away by their provider, and copies their status to write it.
type onNamed struct {
	*handler.EnqueueRequestForObject
	writer client.StatusWriter
}

func (h onNamed) Create(ctx context.Context, e event.CreateEvent, q queue) {
	if node := e.Object.(*corev1.Node); h.valid(ctx, node) {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}})
	}
}

func (h onNamed) valid(ctx context.Context, node *corev1.Node) bool {
	if node.Spec.ProviderID == "" {
		return false
	}
	next := &corev1.Node{Status: *node.Status.DeepCopy()}
	next.Name = node.Name
	_ = h.writer.Update(ctx, next)
	return true
}

func (h onNamed) Update(ctx context.Context, e event.UpdateEvent, q queue) { // ok: the status decides nothing
	was, node := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
	if was.Spec.ProviderID != node.Spec.ProviderID && h.valid(ctx, node) {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}})
	}
}

var _ handler.EventHandler = onNamed{}
