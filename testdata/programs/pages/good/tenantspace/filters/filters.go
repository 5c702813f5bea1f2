// Package filters has the predicates of the tenant operator.
package filters

import (
	"reflect"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Leaving says that an object has just been marked for deletion.
func Leaving(old, cur client.Object) bool {
	return old.GetDeletionTimestamp().IsZero() && !cur.GetDeletionTimestamp().IsZero()
}

// SpecOrLeaving lets an update through that changes the part of an object that get gives, or that marks it for deletion.
// Nobody needs to hear that an object has gone: its finalizer has made sure that all was done before.
func SpecOrLeaving[T client.Object, S any](get func(T) S) predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			old, ok := e.ObjectOld.(T)
			if !ok {
				return false
			}
			cur, ok := e.ObjectNew.(T)
			if !ok {
				return false
			}
			return Leaving(old, cur) || !reflect.DeepEqual(get(old), get(cur))
		},
		DeleteFunc:  func(event.DeleteEvent) bool { return false },
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
}
