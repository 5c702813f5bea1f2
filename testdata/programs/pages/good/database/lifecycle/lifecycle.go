// Package lifecycle has predicates for the life of objects.
package lifecycle

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Terminating lets the update through with which an object begins to end.
func Terminating[T client.Object]() predicate.TypedPredicate[T] {
	return only(func(old, cur T) bool {
		return old.GetDeletionTimestamp().IsZero() != cur.GetDeletionTimestamp().IsZero()
	})
}

// Changed lets updates through where what f gives of the object has changed.
func Changed[T client.Object, V any](f func(T) V, equal func(a, b V) bool) predicate.TypedPredicate[T] {
	return only(func(old, cur T) bool { return !equal(f(old), f(cur)) })
}

func only[T client.Object](f func(old, cur T) bool) predicate.TypedPredicate[T] {
	return predicate.TypedFuncs[T]{
		UpdateFunc: func(e event.TypedUpdateEvent[T]) bool { return f(e.ObjectOld, e.ObjectNew) },
	}
}
