// Package children has handlers that settle what is expected of an owner, with and without him.
package children

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"example.com/operators/expectttl/store"
)

type requests = workqueue.TypedRateLimitingInterface[ctrl.Request]

var (
	children store.Scale
	wards    store.Scale
)

// Parent expects pods, whose events tell by the pods whom they belong to.
type Parent struct{ client.Client }

func (r *Parent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: the events of the pods settle it, whoever is gone
	}
	children.ExpectScale(req.String(), store.Create, "a")
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		children.ObserveScale(req.String(), store.Create, "a")
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

type childHandler struct{}

func (h *childHandler) Create(_ context.Context, e event.CreateEvent, q requests) {
	if owner := metav1.GetControllerOf(e.Object); owner != nil {
		children.ObserveScale(e.Object.GetNamespace()+"/"+owner.Name, store.Create, e.Object.GetName())
	}
}
func (h *childHandler) Update(context.Context, event.UpdateEvent, requests) {}
func (h *childHandler) Delete(_ context.Context, e event.DeleteEvent, q requests) {
	if owner := metav1.GetControllerOf(e.Object); owner != nil {
		children.ObserveScale(e.Object.GetNamespace()+"/"+owner.Name, store.Delete, e.Object.GetName())
	}
}
func (h *childHandler) Generic(context.Context, event.GenericEvent, requests) {}

// Guardian expects pods, whose events look for him.
type Guardian struct{ client.Client }

func (r *Guardian) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var set corev1.ReplicationController
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want neverdeleted "wards keeps what it expects for an object that is found gone here (ExpectScale at line 63): nothing in the package deletes it, and an object that is made again under the same name waits for it" @63 "ExpectScale of wards is called here"
	}
	wards.ExpectScale(req.String(), store.Create, "a")
	if err := r.Create(ctx, &corev1.Pod{}); err != nil {
		wards.ObserveScale(req.String(), store.Create, "a")
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

type wardHandler struct{ client.Client }

func (h *wardHandler) Create(ctx context.Context, e event.CreateEvent, q requests) {
	h.settle(ctx, e.Object, store.Create)
}
func (h *wardHandler) Update(context.Context, event.UpdateEvent, requests) {}
func (h *wardHandler) Delete(ctx context.Context, e event.DeleteEvent, q requests) {
	h.settle(ctx, e.Object, store.Delete)
}
func (h *wardHandler) Generic(context.Context, event.GenericEvent, requests) {}

func (h *wardHandler) settle(ctx context.Context, pod client.Object, action string) {
	var set corev1.ReplicationController
	if err := h.Get(ctx, client.ObjectKeyFromObject(pod), &set); err == nil {
		wards.ObserveScale(pod.GetNamespace()+"/"+set.Name, action, pod.GetName())
	}
}
