// Package unasked has methods that are like those of predicates, and are not all used as ones.
package unasked

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Reconciler is no predicate: the client's methods are others.
type Reconciler struct{ client.Client }

// Delete is left over.
func (r *Reconciler) Delete(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // ok: nobody asks it
}

// Handed has a method for a predicate.
type Handed struct{ client.Client }

func (h *Handed) deletes(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Predicate asks the method.
func (h *Handed) Predicate() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: h.deletes}
}

// Called has a method that another one calls.
type Called struct{ client.Client }

func (c *Called) deletes(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

// Predicate calls the method.
func (c *Called) Predicate() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return c.deletes(e) && e.Object != nil }}
}

// half is a part of a predicate.
type half struct{}

func (half) Delete(e event.DeleteEvent) bool {
	return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
}

type most struct{}

func (most) Create(event.CreateEvent) bool   { return true }
func (most) Update(event.UpdateEvent) bool   { return true }
func (most) Generic(event.GenericEvent) bool { return true }

// Whole is a predicate.
type Whole struct {
	half
	most
}
