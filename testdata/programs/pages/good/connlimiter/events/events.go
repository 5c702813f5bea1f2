// Package events makes handlers for informers of one kind.
package events

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Object takes an object of a kind out of what an informer tells of.
func Object[T runtime.Object](obj any) (T, bool) {
	if lost, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = lost.Obj
	}
	typed, ok := obj.(T)
	if !ok {
		klog.InfoS("Informer told of another kind", "type", fmt.Sprintf("%T", obj))
	}
	return typed, ok
}

// Sink is told of objects.
type Sink[T runtime.Object] interface {
	Put(T)
	Drop(T)
}

type adapter[T runtime.Object] struct{ sink Sink[T] }

// To gives a handler that tells a sink.
func To[T runtime.Object](sink Sink[T]) cache.ResourceEventHandler { return adapter[T]{sink} }

func (a adapter[T]) OnAdd(obj any, _ bool) {
	if typed, ok := obj.(T); ok {
		a.sink.Put(typed)
	}
}

func (a adapter[T]) OnUpdate(_, cur any) {
	if typed, ok := cur.(T); ok {
		a.sink.Put(typed)
	}
}

func (a adapter[T]) OnDelete(obj any) {
	if typed, ok := Object[T](obj); ok {
		a.sink.Drop(typed)
	}
}
