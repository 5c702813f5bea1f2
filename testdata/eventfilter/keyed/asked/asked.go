// Package asked has predicates that ask for one annotation each.
package asked

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/keyed/wishes"
)

const now = "example.com/now"

// Now waits for a change of one annotation.
type Now struct{ predicate.Funcs }

func (Now) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation, status, deletion timestamp with generation, deletion timestamp, content with generation, content, annotations but example.com/now"
	if e.ObjectOld == nil || e.ObjectNew == nil {
		return false
	}
	if value, ok := wished(e.ObjectNew.GetAnnotations()); ok {
		was, has := wished(e.ObjectOld.GetAnnotations())
		return !has || was != value
	}
	return false
}

func wished(annotations map[string]string) (string, bool) {
	value, ok := annotations[now]
	return value, ok
}

// Of waits for a change of an annotation that somebody names.
type Of struct {
	predicate.Funcs
	Key string
}

func (o Of) Update(e event.UpdateEvent) bool {
	return e.ObjectOld.GetAnnotations()[o.Key] != e.ObjectNew.GetAnnotations()[o.Key]
}

// Look waits for a change of what another package reads.
type Look struct{ predicate.Funcs }

func (Look) Update(e event.UpdateEvent) bool { // want Update:"drops spec with generation, status, deletion timestamp with generation, deletion timestamp, content with generation, content, annotations but example.com/look"
	if value, ok := wishes.Look(e.ObjectNew.GetAnnotations()); ok {
		if was, has := wishes.Look(e.ObjectOld.GetAnnotations()); has {
			return was != value
		}
		return true
	}
	return false
}

// Many asks how many there are.
type Many struct{ predicate.Funcs }

func (Many) Update(e event.UpdateEvent) bool {
	return wishes.Many(e.ObjectOld.GetAnnotations()) != wishes.Many(e.ObjectNew.GetAnnotations())
}
