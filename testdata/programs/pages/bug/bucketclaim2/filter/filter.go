// Package filter has the predicates that the controllers of the operator share.
package filter

import (
	"maps"
	"reflect"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/bucketclaim2/api"
)

// ClaimContent lets the changes of what users write through.
type ClaimContent struct {
	predicate.Funcs
	// WatchLabels lets changes of labels through as well.
	WatchLabels bool
}

// Update implements predicate.Predicate.
func (p ClaimContent) Update(e event.UpdateEvent) bool {
	if e.ObjectOld == nil || e.ObjectNew == nil {
		return false
	}
	old, ok := e.ObjectOld.(*api.BucketClaim)
	if !ok {
		return true
	}
	cur, ok := e.ObjectNew.(*api.BucketClaim)
	if !ok {
		return true
	}
	if !reflect.DeepEqual(old.Spec, cur.Spec) {
		return true
	}
	return p.WatchLabels && !maps.Equal(old.Labels, cur.Labels)
}
