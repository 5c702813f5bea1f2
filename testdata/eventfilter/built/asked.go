package built

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// isPod lets pods through, and tombstones with one.
var isPod func(any) bool = func(obj any) bool {
	switch t := obj.(type) {
	case *corev1.Pod:
		return true
	case cache.DeletedFinalStateUnknown:
		_, ok := t.Obj.(*corev1.Pod)
		return ok
	}
	return false
}

func isTombstone(obj any) bool {
	_, ok := obj.(cache.DeletedFinalStateUnknown)
	return ok
}

// takesTombstones does what there is to do for them.
func (t *teller) takesTombstones(obj any) bool {
	d, ok := obj.(cache.DeletedFinalStateUnknown)
	if !ok {
		return false
	}
	pod, ok := d.Obj.(*corev1.Pod)
	if !ok {
		return false
	}
	t.told[pod.Name]++
	return true
}

// inNamespace asserts what it has asked for, and not what it has then.
func inNamespace(ns string) func(any) bool {
	return func(obj any) bool {
		if !isPod(obj) {
			return false
		}
		return obj.(*corev1.Pod).Namespace == ns // want tombstone "FilterFunc (line 52) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Pod panics on it" @52 "FilterFunc is called for deletions here"
	}
}

// asked has handlers that ask first what they are given.
func asked(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: inNamespace("a"),
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			t.told[obj.(*corev1.Pod).Name]++ // ok: the filter panics before
		}},
	})
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: isPod,
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			t.told[obj.(*corev1.Pod).Name]++ // want tombstone "DeleteFunc (line 59) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Pod panics on it" @59 "DeleteFunc is called for deletions here"
		}},
	})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if isTombstone(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // ok: no tombstone comes here
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if t.takesTombstones(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // ok
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if !isTombstone(obj) {
			return
		}
		t.told[obj.(*corev1.Pod).Name]++ // want tombstone "DeleteFunc (line 75) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the assertion to *v1.Pod panics on it" @75 "DeleteFunc is called for deletions here"
	}})
}

var _ = asked
