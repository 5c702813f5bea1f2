// Package watch makes informer handlers of functions that take the type.
package watch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// Callbacks are what somebody wants to hear of the objects of a type.
type Callbacks[T any] struct {
	Changed func(T)
	Gone    func(T)
}

// Handler makes a handler of the callbacks.
func Handler[T any](cb Callbacks[T]) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { with(obj, cb.Changed) },
		UpdateFunc: func(before, after any) {
			if version(before) != version(after) {
				with(after, cb.Changed)
			}
		},
		DeleteFunc: func(obj any) { with(obj, cb.Gone) },
	}
}

func with[T any](obj any, do func(T)) {
	if do == nil {
		return
	}
	typed, ok := obj.(T)
	if !ok {
		utilruntime.HandleError(fmt.Errorf("got a %T, want a %T", obj, typed))
		return
	}
	do(typed)
}

func version(obj any) string {
	m, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	return m.GetResourceVersion()
}
