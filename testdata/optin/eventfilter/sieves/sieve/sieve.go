// Package sieve makes predicates for the controllers of other packages.
package sieve

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Settled guards controllers alone that do nothing about an object that is gone.
func Settled() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }}
}

// Missed guards one that counts, too.
func Missed() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
}

// Kept is used by a package of which the watches are not in sight.
func Kept() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
}

// Unused is used by no program.
func Unused() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }}
}

// Held is used as a variable, by the one that counts.
var Held predicate.Predicate = predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }} // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"

// Calm is used as a variable, by the one that does nothing.
var Calm predicate.Predicate = predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }}

// Typed is a type of which the one that counts makes a value.
type Typed struct{ predicate.Funcs }

// Update lets each through.
func (Typed) Update(event.UpdateEvent) bool { return true }

// Delete drops those of which only a tombstone is known.
func (Typed) Delete(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
}

// Quiet is one of which the one that does nothing makes a value.
type Quiet struct{ predicate.Funcs }

// Update lets each through.
func (Quiet) Update(event.UpdateEvent) bool { return true }

// Delete drops those of which only a tombstone is known.
func (Quiet) Delete(e event.DeleteEvent) bool { return !e.DeleteStateUnknown }
