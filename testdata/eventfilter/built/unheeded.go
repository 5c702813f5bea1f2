package built

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// unheeded does not ask whether the object is what it is taken for.
func unheeded(inf cache.SharedIndexInformer, t *teller, gone func(*corev1.Pod)) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		t.told[pod.Name]++ // want tombstone "DeleteFunc (line 11) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Pod gives nil for it, which panics here" @11 "DeleteFunc is called for deletions here"
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		u, _ := obj.(*unstructured.Unstructured)
		t.told[u.GetName()]++ // want tombstone "DeleteFunc (line 15) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *unstructured.Unstructured gives nil for it, which panics here" @15 "DeleteFunc is called for deletions here"
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		gone(pod) // ok: it may ask
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if d, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = d.Obj
		}
		pod, _ := obj.(*corev1.Pod) // ok: it was taken out
		t.told[pod.Name]++
	}})
}

var _ = unheeded

// first panics before it comes to what drops the tombstone.
func first(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if _, ok := obj.(*corev1.Pod); !ok {
			u, _ := obj.(*unstructured.Unstructured)
			t.told[u.GetName()]++ // want tombstone "DeleteFunc (line 36) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *unstructured.Unstructured gives nil for it, which panics here" @36 "DeleteFunc is called for deletions here"
		}
		t.drop(obj)
	}})
}

func (t *teller) drop(obj any) {
	if pod, ok := obj.(*corev1.Pod); ok {
		t.told[pod.Name]++
	}
}

var _ = first
