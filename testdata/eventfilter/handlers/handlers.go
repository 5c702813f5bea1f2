// Package handlers has event handlers that are written by hand.
package handlers

import (
	"context"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	listers "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

func release(c client.Client, policy *networkingv1.NetworkPolicy) error { // want release:"removes finalizers of p1" release:"writes p1"
	controllerutil.RemoveFinalizer(policy, "example.com/rules")
	return c.Update(context.Background(), policy)
}

// onPolicy puts policies into the queue.
type onPolicy struct{}

func (onPolicy) Create(_ context.Context, e event.CreateEvent, q queue) {}
func (onPolicy) Delete(_ context.Context, e event.DeleteEvent, q queue) {}
func (onPolicy) Update(_ context.Context, e event.UpdateEvent, q queue) { // want deletion "onPolicy.Update drops the update that sets the deletionTimestamp of *v1.NetworkPolicy: release removes the finalizer (line 25) only at another event; let it through" @25 "the finalizer is removed here"
	was, is := e.ObjectOld.(*networkingv1.NetworkPolicy), e.ObjectNew.(*networkingv1.NetworkPolicy)
	if was.ResourceVersion == is.ResourceVersion {
		return
	}
	if !reflect.DeepEqual(was.Spec.PodSelector, is.Spec.PodSelector) || !reflect.DeepEqual(was.Spec.Ingress, is.Spec.Ingress) {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: is.Namespace, Name: is.Name}})
	}
}

// onPolicyOwner wakes somebody else, who need not know of the deletion.
type onPolicyOwner struct{}

func (onPolicyOwner) Update(_ context.Context, e event.UpdateEvent, q queue) { // ok: the owner is queued
	was, is := e.ObjectOld.(*networkingv1.NetworkPolicy), e.ObjectNew.(*networkingv1.NetworkPolicy)
	if !reflect.DeepEqual(was.Spec, is.Spec) {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: is.Labels["owner"]}})
	}
}

func cleanUp(pvc *corev1.PersistentVolumeClaim) { pvc.Finalizers = nil }

type controller struct {
	queue workqueue.TypedInterface[string]
}

func (c *controller) watch(informer cache.SharedInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, cur any) { // want deletion "this update handler drops the update that sets the deletionTimestamp of *v1.PersistentVolumeClaim: cleanUp removes the finalizer (line 54) only at another event; let it through" @54 "the finalizer is removed here"
			was, is := old.(*corev1.PersistentVolumeClaim), cur.(*corev1.PersistentVolumeClaim)
			if was.Spec.VolumeName == is.Spec.VolumeName {
				return
			}
			c.enqueue(is)
		},
	})
}

func (c *controller) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return
	}
	c.queue.Add(key)
}

const (
	zone  = "example.com/zone"
	state = "example.com/state"
)

func allocate(class *networkingv1.Ingress) string { // want allocate:"reads annotation example.com/state of p0, annotation example.com/zone of p0; sets example.com/state" allocate:"writes p0.ObjectMeta.Annotations->"
	class.Annotations[state] = "allocated"
	if class.Annotations[state] != "" { // ok: the package sets it itself
		return class.Annotations[zone]
	}
	return ""
}

func (c *controller) classes(informer cache.SharedInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, cur any) { // want metadata `this update handler drops updates of *v1.Ingress that change only annotations, but allocate reads the annotation "example.com/zone" at handlers.go:88: setting it triggers no reconcile; let them through` @88 "the annotation is read here"
			if old.(*networkingv1.Ingress).Generation == cur.(*networkingv1.Ingress).Generation {
				return
			}
			c.enqueue(cur)
		},
	})
}

// onSet issues a certificate by a name that only begins like a question, and reads a list.
type onSet struct {
	issuer interface {
		IssueFor(o client.Object) error
	}
	reader client.Reader
}

func (h onSet) Update(ctx context.Context, e event.UpdateEvent, q queue) { // ok: each update is handed on
	was, is := e.ObjectOld.(*appsv1.DaemonSet), e.ObjectNew.(*appsv1.DaemonSet)
	if err := h.issuer.IssueFor(is); err != nil {
		return
	}
	if !reflect.DeepEqual(was.Spec, is.Spec) {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: is.Namespace, Name: is.Name}})
	}
}

// onReplicas only looks before it asks what has changed.
type onReplicas struct {
	lister listers.ReplicaSetLister
	reader client.Reader
}

func (h onReplicas) Update(ctx context.Context, e event.UpdateEvent, q queue) { // want deletion "onReplicas.Update drops the update that sets the deletionTimestamp of *v1.ReplicaSet: releaseAll removes the finalizer (line 143) only at another event; let it through" @143 "the finalizer is removed here"
	was, is := e.ObjectOld.(*appsv1.ReplicaSet), e.ObjectNew.(*appsv1.ReplicaSet)
	if _, err := h.lister.List(labels.Everything()); err != nil {
		return
	}
	if err := h.reader.List(ctx, &appsv1.ReplicaSetList{}); err != nil {
		return
	}
	if was.Spec.MinReadySeconds != is.Spec.MinReadySeconds {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: is.Namespace, Name: is.Name}})
	}
}

func releaseAll(set *appsv1.DaemonSet, replicas *appsv1.ReplicaSet) {
	controllerutil.RemoveFinalizer(set, "example.com/certificate")
	replicas.Finalizers = nil
}
