package built

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

type keeper struct {
	informer cache.SharedIndexInformer
	queue    chan runtime.Object
	node     string
}

// values takes what no informer gives: objects come as pointers.
func (k *keeper) values() error {
	_, err := k.informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			pod, ok := obj.(corev1.Pod) // want constant "this function does nothing about any object: it takes v1.Pod alone, and an informer gives *v1.Pod"
			if !ok {
				return false
			}
			return pod.Spec.NodeName == k.node
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: k.add, DeleteFunc: k.OnDelete},
	})
	return err
}

// pointers has the handler behind a filter that lets no tombstone through: the filter is told, and not the method behind it.
func (k *keeper) pointers() error {
	_, err := k.informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			pod, ok := obj.(*corev1.Pod) // want tombstone "FilterFunc (line 33) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @33 "FilterFunc is called for deletions here"
			if !ok {
				return false
			}
			return pod.Spec.NodeName == k.node
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: k.add, DeleteFunc: k.OnDelete},
	})
	return err
}

// OnAdd hands an object on.
func (k *keeper) OnAdd(obj any, _ bool) { k.add(obj) }

func (k *keeper) add(obj any) {
	if o, ok := obj.(runtime.Object); ok {
		k.queue <- o
	}
}

// OnUpdate does so with the new one.
func (k *keeper) OnUpdate(_, obj any) { k.add(obj) }

// OnDelete does so, too.
func (k *keeper) OnDelete(obj any) { k.add(obj) }

// either takes both.
func (k *keeper) either() error {
	_, err := k.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
		if pod, ok := obj.(corev1.Pod); ok { // ok
			k.queue <- &pod
		}
		if pod, ok := obj.(*corev1.Pod); ok {
			k.queue <- pod
		}
	}})
	return err
}
