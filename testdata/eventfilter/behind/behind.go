// Package behind has handlers behind filters that let no tombstone through.
package behind

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

type store struct{ pods map[string]*corev1.Pod }

func (s *store) filtered() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			_, ok := obj.(*corev1.Pod) // want tombstone "FilterFunc (line 13) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @13 "FilterFunc receives delete events here"
			return ok
		},
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) {
				if pod, ok := obj.(*corev1.Pod); ok { // ok: the filter lets no tombstone through, and is told
					delete(s.pods, pod.Name)
				}
			},
		},
	}
}

func (s *store) open() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: func(any) bool { return true },
		Handler: &cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) {
				if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 31) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @31 "DeleteFunc receives delete events here"
					delete(s.pods, pod.Name)
				}
			},
		},
	}
}

// crashes asserts behind a filter what the filter has tested: fixed alone, the filter would let a tombstone crash it.
func (s *store) crashes() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			_, ok := obj.(*corev1.Pod) // want tombstone "FilterFunc (line 43) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @43 "FilterFunc receives delete events here"
			return ok
		},
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) {
				delete(s.pods, obj.(*corev1.Pod).Name)
			},
		},
	}
}

// crashesFirst asserts in the filter already: what is behind it gets no tombstone.
func (s *store) crashesFirst() cache.ResourceEventHandler {
	return cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool { return obj.(*corev1.Pod).Name != "" }, // want tombstone "FilterFunc (line 58) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @58 "FilterFunc receives delete events here"
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) { delete(s.pods, obj.(*corev1.Pod).Name) }, // ok: told with the filter
		},
	}
}
