// Package constant has filters whose answer does not depend on what changed.
package constant

import (
	"maps"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
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
		return is.Name == is.Name // want constant "this filter compares the new object's name with itself, so that the comparison says nothing"
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
	return !reflect.DeepEqual(was.Spec.Taints, is.Spec.Taints) // want constant "sameTwice.Update compares the new object's spec.Taints with itself, so that the comparison says nothing"
}

type mixedUp struct{ predicate.Funcs }

func (mixedUp) Update(e event.UpdateEvent) bool {
	oldNode := e.ObjectNew.(*corev1.Node) // want constant "oldNode is taken from ObjectNew of the event: old and new are the wrong way round"
	newNode := e.ObjectOld.(*corev1.Node) // want constant "newNode is taken from ObjectOld of the event: old and new are the wrong way round"
	return len(oldNode.Spec.Taints) == 0 && len(newNode.Spec.Taints) > 0
}

type annotated struct{ predicate.Funcs }

func value(o client.Object) (string, bool) { v, ok := o.GetAnnotations()["at"]; return v, ok }

func (annotated) Update(e event.UpdateEvent) bool {
	if val, ok := value(e.ObjectOld); ok {
		if valOld, okOld := value(e.ObjectNew); okOld { // want constant "valOld is taken from ObjectNew of the event: old and new are the wrong way round"
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
	return tainted(oldNode, newNode) || !reflect.DeepEqual(oldNode.Spec, newSpec)
}

type handedOver struct{ predicate.Funcs }

func (handedOver) Update(e event.UpdateEvent) bool { // want Update:"drops annotations, labels, status, deletion timestamp with generation, deletion timestamp"
	was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
	return tainted(is, was) // want swapped "tainted is given the new object as oldNode and the old one as newNode: they are the wrong way round"
}

func tainted(oldNode, newNode *corev1.Node) bool {
	return len(oldNode.Spec.Taints) < len(newNode.Spec.Taints)
}

type inverted struct{ predicate.Funcs }

func (inverted) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation, annotations, labels, status, deletion timestamp with generation, deletion timestamp, anything with generation, anything" constant "inverted.Update drops every update, and acts only on the periodic resync, in which both versions are equal: the test is the wrong way round"
	return e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion()
}

type noResync struct{ predicate.Funcs }

func (noResync) Update(e event.UpdateEvent) bool { // ok: the resync is dropped
	return e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
}

type negationLost struct{ predicate.Funcs }

func (negationLost) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation" constant "negationLost.Update acts when nothing changed, and drops every update that changes the spec: the test is the wrong way round"
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

type queue interface{ Add(string) }

func handlers(q queue) []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // want swapped "this handler has its parameters the wrong way round: the informer hands over the old object first, which is named newObj here"
				if newObj.(*corev1.Node).Spec.Unschedulable {
					q.Add("drain")
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(newObj, oldObj any) { // ok: it makes no difference
				curNode, oldNode := newObj.(*corev1.Node), oldObj.(*corev1.Node)
				if !maps.Equal(oldNode.Labels, curNode.Labels) || oldNode.Generation != curNode.Generation {
					if key, err := cache.MetaNamespaceKeyFunc(curNode); err == nil && curNode.Name != "" {
						q.Add(key)
					}
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(oldObj, newObj any) {
				oldNode, newNode := oldObj.(*corev1.Node), newObj.(*corev1.Node)
				if newNode.DeletionTimestamp.IsZero() ||
					!reflect.DeepEqual(oldNode.Spec.Taints, newNode.Spec.Taints) || // want constant "this handler compares both versions only where the object is being deleted: of all others it is enough that they live, so that their changes are never asked for, and the update that sets the deletion timestamp is dropped"
					oldNode.Spec.PodCIDR != newNode.Spec.PodCIDR {
					q.Add(newNode.Name)
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(oldObj, newObj any) {
				oldNode, newNode := oldObj.(*corev1.Node), newObj.(*corev1.Node)
				if !newNode.DeletionTimestamp.IsZero() || // ok: a deletion is a change
					oldNode.Spec.PodCIDR != newNode.Spec.PodCIDR {
					q.Add(newNode.Name)
				}
				if newNode.DeletionTimestamp == nil || oldNode.Spec.PodCIDR != newNode.Spec.PodCIDR { // ok: this says what to leave alone
					return
				}
			},
		},
		cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(oldObj, newObj any) {
				oldNode, newNode := oldObj.(*corev1.Node), newObj.(*corev1.Node)
				if newNode.DeletionTimestamp != nil { // ok: whatever changes, the deletion is left alone
					if oldNode.Spec.PodCIDR != newNode.Spec.PodCIDR {
						klog.Info("too late")
					}
					return
				}
				q.Add(newNode.Name)
			},
		},
	}
}

func validate(newNode, oldNode *corev1.Node) bool {
	return unchanged(oldNode, newNode) // ok: each where its name says
}

func validateWrongly(newNode, oldNode *corev1.Node) bool {
	return fewer(newNode, oldNode) // want swapped "fewer is given the new object as oldNode and the old one as newNode: they are the wrong way round"
}

func validateEither(newNode, oldNode *corev1.Node) bool {
	return unchanged(newNode, oldNode) && same(newNode, oldNode) && library(newNode.Name, oldNode.Name) // ok: the answer is the same
}

func same(oldNode, newNode *corev1.Node) bool {
	return !reflect.DeepEqual(oldNode.Spec.Taints, newNode.Spec.Taints)
}

// library is out of sight, and may be symmetric.
var library = func(oldName, newName string) bool { return strings.Compare(oldName, newName) == 0 }

func fewer(oldNode, newNode *corev1.Node) bool {
	return len(oldNode.Spec.PodCIDRs) > len(newNode.Spec.PodCIDRs)
}

func unchanged(oldNode, newNode *corev1.Node) bool {
	return oldNode.Spec.PodCIDR == newNode.Spec.PodCIDR
}
