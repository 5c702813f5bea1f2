// Package handlers observes expectations in event handlers.
package handlers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/expectttl/store"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

func keyOf(o client.Object) types.NamespacedName { return client.ObjectKeyFromObject(o) }

// podHandler observes what an update shows, and forgets that a pod may go before.
type podHandler struct{ names *store.Names }

func (h *podHandler) Create(_ context.Context, e event.CreateEvent, q queue) {
	q.Add(reconcile.Request{NamespacedName: keyOf(e.Object)})
}

func (h *podHandler) Update(_ context.Context, e event.UpdateEvent, q queue) { h.changed(e.ObjectNew) }

func (h *podHandler) changed(o client.Object) { h.names.ObservedName(keyOf(o), o.GetName()) }

func (h *podHandler) Delete(_ context.Context, e event.DeleteEvent, q queue) { // want asymmetric "podHandler never touches h.names when an object is deleted, though an update of it is observed at line 32 (ObservedName): what is still expected of a deleted object stays expected" @32 "ObservedName takes an expectation of h.names back here"
	q.Add(reconcile.Request{NamespacedName: keyOf(e.Object)})
}

func (h *podHandler) Generic(context.Context, event.GenericEvent, queue) {}

// carefulHandler does not.
type carefulHandler struct{ open *store.Names }

func (h *carefulHandler) Create(_ context.Context, e event.CreateEvent, q queue) { h.changed(e.Object) }
func (h *carefulHandler) Update(_ context.Context, e event.UpdateEvent, q queue) {
	h.changed(e.ObjectNew)
}
func (h *carefulHandler) Delete(_ context.Context, e event.DeleteEvent, q queue) { // ok: through changed
	h.changed(e.Object)
}
func (h *carefulHandler) Generic(context.Context, event.GenericEvent, queue) {}
func (h *carefulHandler) changed(o client.Object)                            { h.open.ObservedName(keyOf(o), o.GetName()) }

// birthHandler waits for pods to appear, and those that go have appeared.
type birthHandler struct{ births store.Tally }

func (h *birthHandler) Create(_ context.Context, e event.CreateEvent, q queue) {
	h.births.CreationObserved(e.Object.GetName())
}
func (h *birthHandler) Update(_ context.Context, e event.UpdateEvent, q queue) {
	if e.ObjectOld == nil {
		h.births.CreationObserved(e.ObjectNew.GetName())
	}
}
func (h *birthHandler) Delete(_ context.Context, e event.DeleteEvent, q queue) {} // ok: nothing is expected of it any more
func (h *birthHandler) Generic(context.Context, event.GenericEvent, queue)     {}

// embedded inherits what happens on deletion.
type embedded struct {
	handler.EnqueueRequestForObject
	versions *store.Versions
}

func (h *embedded) Update(ctx context.Context, e event.UpdateEvent, q queue) { // want asymmetric "embedded never touches h.versions when an object is deleted, though an update of it is observed at line 74 (Observe): what is still expected of a deleted object stays expected" @74 "Observe takes an expectation of h.versions back here"
	h.versions.Observe(e.ObjectNew.GetName())
	h.EnqueueRequestForObject.Update(ctx, e, q)
}

// watch registers functions.
func (r *Rollout) watch(informer cache.SharedIndexInformer) error {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{ // want asymmetric "ResourceEventHandlerFuncs never touches r.seen when an object is deleted, though an update of it is observed at line 89 (ObservedName): what is still expected of a deleted object stays expected" @89 "ObservedName takes an expectation of r.seen back here"
		AddFunc:    func(any) {},
		UpdateFunc: r.updated,
	})
	return err
}

func (r *Rollout) updated(_, fresh any) {
	if pod, ok := fresh.(*corev1.Pod); ok {
		r.seen.ObservedName(keyOf(pod), pod.Name)
	}
}

// updates waits for a key, and takes back what it is shown of an object.
type updates interface {
	ExpectUpdated(key, revision string, obj client.Object)
	ObserveUpdated(key, revision string, obj client.Object)
	SatisfiedExpectations(key, revision string) (bool, []string)
	DeleteExpectations(key string)
	DeleteObject(key string, obj client.Object)
}

// Rollout observes the pods that it lists.
type Rollout struct {
	client.Client
	seen    *store.Names
	open    updates
	careful updates
}

func (r *Rollout) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods); err != nil {
		return reconcile.Result{}, err
	}
	for i := range pods.Items {
		r.open.ObserveUpdated(req.String(), "1", &pods.Items[i])
		r.careful.ObserveUpdated(req.String(), "1", &pods.Items[i])
	}
	if ok, _ := r.careful.SatisfiedExpectations(req.String(), "1"); !ok {
		return reconcile.Result{RequeueAfter: 1}, nil
	}
	if ok, _ := r.open.SatisfiedExpectations(req.String(), "1"); !ok {
		return reconcile.Result{RequeueAfter: 1}, nil
	}
	return reconcile.Result{}, nil
}

// rolloutPods is the handler of those pods.
type rolloutPods struct{ r *Rollout }

func (h *rolloutPods) Create(context.Context, event.CreateEvent, queue) {}
func (h *rolloutPods) Update(_ context.Context, e event.UpdateEvent, q queue) {
	if pod, ok := e.ObjectNew.(*corev1.Pod); ok {
		q.Add(reconcile.Request{NamespacedName: keyOf(pod)})
	}
}
func (h *rolloutPods) Delete(_ context.Context, e event.DeleteEvent, q queue) { // want asymmetric "rolloutPods never touches r.open when an object is deleted, and line 116 (ObserveUpdated) observes only objects that are still there: one that is deleted first keeps it unsatisfied at line 122 (SatisfiedExpectations)" @116 "ObserveUpdated takes an expectation of r.open back here"
	h.r.careful.DeleteObject("a", e.Object) // ok: for that store
}
func (h *rolloutPods) Generic(context.Context, event.GenericEvent, queue) {}

// rolloutNodes is a handler of other objects.
type rolloutNodes struct{}

func (h *rolloutNodes) Create(context.Context, event.CreateEvent, queue) {}
func (h *rolloutNodes) Update(_ context.Context, e event.UpdateEvent, q queue) {
	if node, ok := e.ObjectNew.(*corev1.Node); ok {
		q.Add(reconcile.Request{NamespacedName: keyOf(node)})
	}
}
func (h *rolloutNodes) Delete(context.Context, event.DeleteEvent, queue)   {} // ok: no pods
func (h *rolloutNodes) Generic(context.Context, event.GenericEvent, queue) {}
