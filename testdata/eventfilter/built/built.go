// Package built has handlers that make something of the object for their log, and filters that functions make.
package built

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime/pkg/client"
)

type teller struct{ told map[string]int }

// built makes what it logs of the object first.
func built(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // ok: all comes to the log
		if pod == nil || !ok {
			return
		}
		key := ctrl.ObjectKeyFromObject(pod)
		if klog.V(4).Enabled() {
			klog.Info(key.String(), toJSON(pod))
		}
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 28) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @28 "DeleteFunc is called for deletions here"
		if !ok {
			return
		}
		klog.Info(t.tell(pod))
	}})
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 35) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @35 "DeleteFunc is called for deletions here"
		if !ok {
			return
		}
		klog.Info(count(pod))
	}})
}

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}

func (t *teller) tell(pod *corev1.Pod) int {
	t.told[pod.Name]++
	return t.told[pod.Name]
}

var counted int

func count(pod *corev1.Pod) int {
	counted += len(pod.Name)
	return counted
}

// kept makes a filter that says no to tombstones.
func kept(name string) func(any) bool {
	return func(obj any) bool {
		object, ok := obj.(ctrl.Object)
		if !ok {
			return false
		}
		return object.GetName() == name
	}
}

func both(name string) func(any) bool {
	return func(obj any) bool { return kept(name)(obj) && kept("all")(obj) } // want tombstone "FilterFunc (line 82) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as what kept makes says no to it" @82 "FilterFunc is called for deletions here"
}

// behindMade has a handler behind a filter that says no to tombstones: it is the filter that is told.
func behindMade(inf cache.SharedIndexInformer, t *teller) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: both("a"),
		Handler: cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok {
				t.tell(pod)
			}
		}},
	})
}

var _ = []any{built, behindMade}
