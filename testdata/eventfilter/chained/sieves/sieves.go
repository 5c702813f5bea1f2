// Package sieves makes filters and handlers for packages that import it.
package sieves

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Labelled lets through what has the label.
func Labelled(label string) func(any) bool {
	return func(obj any) bool {
		if o, ok := obj.(metav1.Object); ok {
			_, has := o.GetLabels()[label]
			return has
		}
		return false
	}
}

// Unwrapped does so for what a tombstone holds, too.
func Unwrapped(label string) func(any) bool {
	return func(obj any) bool {
		if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = gone.Obj
		}
		o, ok := obj.(metav1.Object)
		if !ok {
			return false
		}
		_, has := o.GetLabels()[label]
		return has
	}
}

// All lets through what all of the filters let through.
func All(filters ...func(any) bool) func(any) bool {
	return func(obj any) bool {
		for _, f := range filters {
			if !f(obj) {
				return false
			}
		}
		return true
	}
}

// Any lets through what one of the filters lets through.
func Any(filters ...func(any) bool) func(any) bool {
	return func(obj any) bool {
		for _, f := range filters {
			if f(obj) {
				return true
			}
		}
		return false
	}
}

// Each hands all events on to f.
func Each(f func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: f, UpdateFunc: func(_, obj any) { f(obj) }, DeleteFunc: f}
}

// Born hands on what is new.
func Born(f func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: f}
}

// NameOf is the name of an object.
func NameOf(obj any) string {
	o, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	return o.GetName()
}

// Forget takes a pod out of names.
func Forget(names map[string]bool, obj any) {
	delete(names, obj.(*corev1.Pod).Name)
}
