// Package none has predicates that let through nothing, or next to nothing.
package none

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// All is for a kind that is watched for its name alone: who uses it wants no events.
type All struct{ predicate.Funcs }

func (All) Create(event.CreateEvent) bool   { return false }
func (All) Update(event.UpdateEvent) bool   { return false }
func (All) Delete(event.DeleteEvent) bool   { return false }
func (All) Generic(event.GenericEvent) bool { return false }

// ButLabels lets changes of the labels through.
type ButLabels struct{ predicate.Funcs }

func (ButLabels) Update(e event.UpdateEvent) bool {
	return len(e.ObjectOld.GetLabels()) != len(e.ObjectNew.GetLabels()) && e.ObjectOld.GetGeneration() == e.ObjectNew.GetGeneration()
}
