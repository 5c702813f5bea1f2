// Package selfcompared has handlers that do nothing about any object, and where that comes from.
package selfcompared

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

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
			if reflect.DeepEqual(before.Status.Conditions, after.Status.Conditions) { // want constant "this handler compares the old object's status.Conditions with itself, so that the comparison says nothing"
				return
			}
			c.queue.Add(after.Name)
		},
	})
}

func (c *counter) registerTurned(pods coreinformers.PodInformer) {
	_, _ = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, obj any) { // want constant "this function does nothing about any *v1.Pod that the informer gives it: with each it leaves before it comes to what it does; a test is the wrong way round"
			before, after := old.(*corev1.Pod), obj.(*corev1.Pod)
			if before != nil || after != nil {
				return
			}
			if reflect.DeepEqual(before.Status.Conditions, after.Status.Conditions) {
				return
			}
			c.queue.Add(after.Name)
		},
	})
}
