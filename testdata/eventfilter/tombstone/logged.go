package tombstone

import (
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// What only logs misses nothing, unless it panics.
func onlyLogged() []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			pod, ok := obj.(*corev1.Pod)
			if !ok {
				log.Printf("a %T", obj)
				return
			}
			log.Println(pod.Name, "is gone")
		}},
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			log.Println(obj.(*corev1.Pod).Name, "is gone") // want tombstone "DeleteFunc (line 21) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @21 "DeleteFunc receives delete events here"
		}},
	}
}

func countedGone(gone map[string]bool) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 28) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @28 "DeleteFunc receives delete events here"
		if !ok {
			log.Printf("a %T", obj)
			return
		}
		gone[pod.Name] = true
	}}
}
