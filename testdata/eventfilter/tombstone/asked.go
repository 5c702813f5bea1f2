package tombstone

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// isParcel asks for the type first.
func isParcel(obj any, name string) bool {
	cm, ok := obj.(*corev1.ConfigMap)
	return ok && cm.Name == name
}

// isOther says yes to all but a ConfigMap.
func isOther(obj any) bool {
	_, ok := obj.(*corev1.ConfigMap)
	return !ok
}

func asked(gone map[string]bool) []cache.ResourceEventHandler {
	return []cache.ResourceEventHandler{
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if isParcel(obj, "parcel") { // want tombstone "DeleteFunc (line 22) ignores cache.DeletedFinalStateUnknown: isParcel returns false for it and the delete is lost; unwrap its Obj first" @22 "DeleteFunc receives delete events here"
				gone[obj.(*corev1.ConfigMap).Name] = true
			}
		}},
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if isParcel(obj, "parcel") {
				gone[obj.(*corev1.ConfigMap).Name] = true // ok: an object
				return
			}
			gone[""] = true // looks at everything then
		}},
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if last, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				gone[last.Key] = true
				return
			}
			if isParcel(obj, "parcel") { // ok: a tombstone has been seen to
				gone["parcel"] = true
			}
		}},
		cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
			if isOther(obj) {
				gone[obj.(*corev1.Pod).Name] = true // want tombstone "DeleteFunc (line 43) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @43 "DeleteFunc receives delete events here"
			}
		}},
	}
}
