// Package sluices has predicates that others use.
package sluices

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Standing lets neither creations nor deletions through.
func Standing() predicate.Predicate { // want Standing:"drops each deletion"
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false },
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}
