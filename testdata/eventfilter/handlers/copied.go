package handlers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
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

// onCondition turns nodes away by what a function finds in their status.
type onCondition struct {
	*handler.EnqueueRequestForObject
}

func (onCondition) Create(_ context.Context, e event.CreateEvent, q queue) {
	node := e.Object.(*corev1.Node)
	if _, c := condition(&node.Status); c == nil || c.Status != corev1.ConditionTrue {
		return
	}
	q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}})
}

func (onCondition) Update(_ context.Context, e event.UpdateEvent, q queue) { // want status "onCondition.Update drops updates of *v1.Node that change only the status, but onCondition.Create turns objects away by their status at line 51: one that becomes ready later is never seen" @51 "the status decides here"
	if node := e.ObjectNew.(*corev1.Node); node.DeletionTimestamp != nil {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}})
	}
}

func condition(status *corev1.NodeStatus) (int, *corev1.NodeCondition) {
	for i := range status.Conditions {
		if status.Conditions[i].Type == corev1.NodeReady {
			return i, &status.Conditions[i]
		}
	}
	return -1, nil
}

// onUrgent puts nodes into one queue or another.
type onUrgent struct {
	urgent, rest queue
}

func (h *onUrgent) create(obj any) {
	node, ok := obj.(*corev1.Node)
	if !ok || node.Spec.ProviderID == "" {
		return
	}
	request := reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}}
	if node.Status.Phase != corev1.NodeRunning {
		h.urgent.Add(request)
		return
	}
	h.rest.Add(request)
}

// onRunning puts nodes into one queue or none.
type onRunning struct {
	urgent, rest queue
}

func (h *onRunning) create(obj any) {
	node, ok := obj.(*corev1.Node)
	if !ok {
		return
	}
	request := reconcile.Request{NamespacedName: types.NamespacedName{Name: node.Name}}
	if node.Spec.Unschedulable {
		h.urgent.Add(request)
	} else if node.Status.Phase == corev1.NodeRunning {
		h.rest.Add(request)
	}
}

func (h *onUrgent) watch(nodes cache.SharedInformer, other *onRunning) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: h.create, UpdateFunc: func(old, cur any) { // ok: none is turned away
		if old.(*corev1.Node).Spec.ProviderID != cur.(*corev1.Node).Spec.ProviderID {
			h.create(cur)
		}
	}})
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: other.create, UpdateFunc: func(old, cur any) { // want status "this update handler drops updates of *v1.Node that change only the status, but (*onRunning).create turns objects away by their status at line 103: one that becomes ready later is never seen" @103 "the status decides here"
		if old.(*corev1.Node).Spec.ProviderID != cur.(*corev1.Node).Spec.ProviderID {
			other.create(cur)
		}
	}})
}

var (
	_ = (*onUrgent).watch

	_ handler.EventHandler = onNamed{}
	_ handler.EventHandler = onCondition{}
)
