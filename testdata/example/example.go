// Package example has the handlers of docs/new-rule.md.
package example

import "k8s.io/client-go/tools/cache"

func pointer(obj any) any {
	if gone, ok := obj.(*cache.DeletedFinalStateUnknown); ok { // want pointer "the informer sends a cache.DeletedFinalStateUnknown, never a pointer to one: pointer does not see a missed deletion"
		return gone.Obj
	}
	return obj
}

func value(obj any) any {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok { // ok: that is what comes
		return gone.Obj
	}
	return obj
}

func both(obj any) any {
	switch gone := obj.(type) {
	case *cache.DeletedFinalStateUnknown: // ok: the other one is there, too
		return gone.Obj
	case cache.DeletedFinalStateUnknown:
		return gone.Obj
	}
	return obj
}

var _ = cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) { _, _, _ = pointer(obj), value(obj), both(obj) }}
