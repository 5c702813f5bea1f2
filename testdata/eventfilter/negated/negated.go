// Package negated has filters and handlers with a negation too many or too few, and such that look alike.
package negated

import (
	"reflect"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type counter struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (c *counter) register(pods coreinformers.PodInformer) {
	_, _ = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.add, // want constant "(*counter).add does nothing about any *v1.Pod that the informer gives it: with each it leaves before it comes to what it does; a test is the wrong way round"
		DeleteFunc: c.remove,
	})
}

func (c *counter) add(obj any) {
	pod := asPod(obj)
	if pod != nil {
		return
	}
	c.queue.Add(pod.GetName())
}

func (c *counter) remove(obj any) { // ok: it goes on with the pod
	pod := asPod(obj)
	if pod == nil {
		return
	}
	c.queue.Add(pod.GetName())
}

func asPod(obj any) *corev1.Pod {
	if obj == nil {
		return nil
	}
	if pod, ok := obj.(*corev1.Pod); ok {
		return pod
	}
	gone, ok := obj.(cache.DeletedFinalStateUnknown)
	if !ok {
		return nil
	}
	pod, _ := gone.Obj.(*corev1.Pod)
	return pod
}

// names is a set of names behind a map.
type names struct {
	mu  sync.Mutex
	all map[string]sets.Set[string]
}

func (n *names) register(pods coreinformers.PodInformer) {
	_, _ = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		DeleteFunc: n.forget, // ok: it changes the set
	})
}

func (n *names) forget(obj any) {
	pod := asPod(obj)
	n.mu.Lock()
	defer n.mu.Unlock()
	of := n.all[pod.GetNamespace()]
	of.Delete(pod.GetName())
}

// turned compares copies without a field that does not matter. No update leaves the rest of them equal.
var turned = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want constant "this filter drops every update, and acts only on the periodic resync, in which both versions are equal: the test is the wrong way round"
	was, is := e.ObjectOld.DeepCopyObject().(*appsv1.Deployment), e.ObjectNew.DeepCopyObject().(*appsv1.Deployment)
	was.Finalizers, is.Finalizers = nil, nil
	return reflect.DeepEqual(was, is)
}}

// right is the same the right way round.
var right = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	was, is := e.ObjectOld.DeepCopyObject().(*appsv1.Deployment), e.ObjectNew.DeepCopyObject().(*appsv1.Deployment)
	was.Finalizers, is.Finalizers = nil, nil
	return !reflect.DeepEqual(was, is)
}}

// unversioned has copies that may be equal: it waits for what changes the version alone, as a test does.
var unversioned = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	was, is := e.ObjectOld.DeepCopyObject().(*appsv1.Deployment), e.ObjectNew.DeepCopyObject().(*appsv1.Deployment)
	was.ResourceVersion, is.ResourceVersion = "", ""
	was.ManagedFields, is.ManagedFields = nil, nil
	return reflect.DeepEqual(was, is)
}}

func owned(refs []metav1.OwnerReference, kind string) bool {
	for _, r := range refs {
		if r.Kind == kind {
			return true
		}
	}
	return false
}

// once wants an owner of the old version and none of the new one before it compares them.
var once = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want constant "this filter drops every update that leaves the owners and finalizers alone, although it compares both versions at line 117: two of its tests exclude each other"
	if !owned(e.ObjectOld.GetOwnerReferences(), "Group") || owned(e.ObjectNew.GetOwnerReferences(), "Group") {
		return false
	}
	return !reflect.DeepEqual(e.ObjectOld, e.ObjectNew)
}}

// both wants an owner of both.
var both = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	if !owned(e.ObjectOld.GetOwnerReferences(), "Group") || !owned(e.ObjectNew.GetOwnerReferences(), "Group") {
		return false
	}
	return !reflect.DeepEqual(e.ObjectOld, e.ObjectNew)
}}

// left waits for the loss of the owner, and says so.
var left = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	return owned(e.ObjectOld.GetOwnerReferences(), "Group") && !owned(e.ObjectNew.GetOwnerReferences(), "Group")
}}

// called is once with the tests in a function that it calls.
var called = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want constant "this filter drops every update that leaves the owners and finalizers alone, although it compares both versions at line 135: two of its tests exclude each other"
	return lostAndMoved(e.ObjectOld, e.ObjectNew)
}}

func lostAndMoved(a, b metav1.Object) bool {
	if !owned(a.GetOwnerReferences(), "Group") || owned(b.GetOwnerReferences(), "Group") {
		return false
	}
	return !reflect.DeepEqual(a, b)
}

// shared has one test in front, and the other one in what it calls.
var shared = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want constant "this filter drops every update that leaves the owners and finalizers alone, although it compares both versions at line 147: two of its tests exclude each other"
	return !owned(e.ObjectNew.GetOwnerReferences(), "Group") && ownedAndMoved(e.ObjectOld, e.ObjectNew)
}}

// agreeing asks both versions for the same.
var agreeing = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	return owned(e.ObjectNew.GetOwnerReferences(), "Group") && ownedAndMoved(e.ObjectOld, e.ObjectNew)
}}

func ownedAndMoved(a, b metav1.Object) bool {
	return owned(a.GetOwnerReferences(), "Group") && !reflect.DeepEqual(a, b)
}

// eitherWay calls with both answers: of what one call has found, the other one knows nothing.
var eitherWay = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok
	return lostAndMoved(e.ObjectOld, e.ObjectNew) || ownedAndMoved(e.ObjectOld, e.ObjectNew)
}}

var _ = []predicate.Predicate{turned, right, unversioned, once, both, left, called, shared, agreeing, eitherWay}
