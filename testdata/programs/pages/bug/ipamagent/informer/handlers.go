// Package informer has what the agents share to work with informers of one kind.
package informer

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Typed has functions for objects of one kind. Each of them may be nil.
type Typed[T runtime.Object] struct {
	Added   func(T)
	Changed func(old, cur T)
	Removed func(T)
}

// Handler gives the functions as what an informer takes.
func (t Typed[T]) Handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			call(t.Added, obj)
		},
		UpdateFunc: func(old, cur any) {
			if t.Changed == nil {
				return
			}
			was, ok := old.(T)
			if !ok {
				return
			}
			call(func(is T) { t.Changed(was, is) }, cur)
		},
		DeleteFunc: func(obj any) {
			call(t.Removed, obj)
		},
	}
}

func call[T runtime.Object](fn func(T), obj any) {
	if fn == nil {
		return
	}
	typed, ok := obj.(T)
	if !ok {
		klog.V(4).InfoS("Object is of another kind", "type", fmt.Sprintf("%T", obj))
		return
	}
	fn(typed)
}
