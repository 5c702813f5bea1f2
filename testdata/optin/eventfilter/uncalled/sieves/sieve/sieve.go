// Package sieve makes predicates for the controllers of other packages.
package sieve

import (
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Settled guards controllers alone that do nothing about an object that is gone.
func Settled() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }}
}

// Missed guards one that counts, too.
func Missed() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Kept is used by a package of which the watches are not in sight.
func Kept() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Unused is used by no program.
func Unused() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }}
}

// Twice guards one that does nothing, and is given to others by the same package.
func Twice() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Inner is given on by Options.
func Inner() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Options are those of a watch.
func Options() builder.Predicates { return builder.WithPredicates(Inner()) }

// Held may be had by anybody.
var Held predicate.Predicate = predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"

// Typed is a type of which anybody may make a value.
type Typed struct{ predicate.Funcs }

// Delete drops those of which only a tombstone is known.
func (Typed) Delete(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}
