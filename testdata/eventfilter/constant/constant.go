// Package constant has filters whose answer does not depend on what changed.
package constant

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

var itself = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
		if labels.Equals(was.Labels, is.Labels) { // ok: two versions
			return false
		}
		return is.Name == is.Name // want constant "both sides of this comparison are the new object's name, so it has the same result for every update; compare it with the old object's"
	},
}

type sameTwice struct{ predicate.Funcs }

func (sameTwice) Update(e event.UpdateEvent) bool {
	was, ok := e.ObjectNew.(*corev1.Node)
	if !ok {
		return false
	}
	is, ok := e.ObjectNew.(*corev1.Node)
	if !ok {
		return false
	}
	return !reflect.DeepEqual(was.Spec.Taints, is.Spec.Taints) // want constant "both sides of this comparison are the new object's spec.Taints, so every update is dropped; compare it with the old object's"
}

type mixedUp struct{ predicate.Funcs }

func (mixedUp) Update(e event.UpdateEvent) bool {
	oldNode := e.ObjectNew.(*corev1.Node) // want constant "oldNode is assigned from ObjectNew of the event: old and new are swapped; exchange them"
	newNode := e.ObjectOld.(*corev1.Node) // want constant "newNode is assigned from ObjectOld of the event: old and new are swapped; exchange them"
	return len(oldNode.Spec.Taints) == 0 && len(newNode.Spec.Taints) > 0
}

type annotated struct{ predicate.Funcs }

func value(o client.Object) (string, bool) { v, ok := o.GetAnnotations()["at"]; return v, ok }

func (annotated) Update(e event.UpdateEvent) bool {
	if val, ok := value(e.ObjectOld); ok {
		if valOld, okOld := value(e.ObjectNew); okOld { // want constant "valOld is assigned from ObjectNew of the event: old and new are swapped; exchange them"
			return val != valOld
		}
		return true
	}
	return false
}

type rightWay struct{ predicate.Funcs }

func (rightWay) Update(e event.UpdateEvent) bool { // ok: everything at its place
	oldNode, newNode := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
	newSpec := e.ObjectOld.DeepCopyObject().(*corev1.Node).Spec // ok: a copy to be made new
	newSpec.Taints = newNode.Spec.Taints
	return len(oldNode.Spec.Taints) < len(newNode.Spec.Taints) || !reflect.DeepEqual(oldNode.Spec, newSpec)
}

type inverted struct{ predicate.Funcs }

func (inverted) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation, annotations, status, deletion timestamp with generation, deletion timestamp, anything with generation, anything"
	return e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion()
}

type noResync struct{ predicate.Funcs }

func (noResync) Update(e event.UpdateEvent) bool { // ok: the resync is dropped
	return e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
}

type negationLost struct{ predicate.Funcs }

func (negationLost) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation"
	was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
	return reflect.DeepEqual(was.Spec, is.Spec)
}

func sameSpec(oldNode, newNode *corev1.Node) bool { // ok: this one is asked whether they are the same
	return reflect.DeepEqual(oldNode.Spec, newNode.Spec)
}

type statusOnly struct{ predicate.Funcs }

func (statusOnly) Update(e event.UpdateEvent) bool { // ok: whoever wants the status alone says so in this way // want Update:"drops spec with generation, deletion timestamp with generation, anything with generation"
	return e.ObjectOld.GetGeneration() == e.ObjectNew.GetGeneration()
}

// turned compares copies without a field that does not matter. No update leaves the rest of them equal.
var turned = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
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

var _ = []predicate.Predicate{turned, right, unversioned}

type counter struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (c *counter) register(pods coreinformers.PodInformer) {
	_, _ = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, obj any) { // ok: the comparison is why, and is told
			before, ok := old.(*corev1.Pod)
			if !ok {
				return
			}
			after, ok := old.(*corev1.Pod)
			if !ok {
				return
			}
			if reflect.DeepEqual(before.Status.Conditions, after.Status.Conditions) { // want constant "both sides of this comparison are the old object's status.Conditions, so every update is dropped; compare it with the new object's"
				return
			}
			c.queue.Add(after.Name)
		},
	})
}
