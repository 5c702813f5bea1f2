// Package predicates has predicates for all controllers of the operator.
package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

var log = logf.Log.WithName("predicates")

// SkipStatusUpdates drops the updates that the operators write themselves.
type SkipStatusUpdates struct {
	predicate.Funcs
}

// Update implements predicate.Predicate.
func (SkipStatusUpdates) Update(e event.UpdateEvent) bool {
	if e.ObjectOld == nil {
		log.Error(nil, "update event has no old object", "event", e)
		return false
	}
	if e.ObjectNew == nil {
		log.Error(nil, "update event has no new object", "event", e)
		return false
	}
	return e.ObjectNew.GetGeneration() != e.ObjectOld.GetGeneration()
}
