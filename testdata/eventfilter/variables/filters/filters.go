// Package filters has predicates in variables.
package filters

import (
	"maps"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Generation waits for a generation.
var Generation = predicate.Funcs{ // want Generation:"drops annotations, status, deletion timestamp, anything"
	UpdateFunc: func(e event.UpdateEvent) bool {
		if e.ObjectOld == nil || e.ObjectNew == nil {
			return true
		}
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	},
}

// Interface is one behind the interface.
var Interface predicate.Predicate = predicate.Funcs{UpdateFunc: moved} // want Interface:"drops annotations, status, deletion timestamp, anything"

func moved(e event.UpdateEvent) bool {
	return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
}

// Metadata also waits for labels and annotations, which it compares in a literal.
var Metadata = predicate.Funcs{ // want Metadata:"drops status, deletion timestamp, content"
	UpdateFunc: func(e event.UpdateEvent) bool {
		changed := func(a, b map[string]string) bool { return !maps.Equal(a, b) }
		if e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() {
			return true
		}
		return changed(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels()) ||
			changed(e.ObjectOld.GetAnnotations(), e.ObjectNew.GetAnnotations())
	},
}

// Either lets through what one of two does.
var Either = predicate.Or(predicate.LabelChangedPredicate{}, Metadata) // want Either:"drops status, deletion timestamp, content"

// Labels waits for labels alone, whatever the generation.
var Labels = predicate.LabelChangedPredicate{} // want Labels:"drops spec with generation, annotations, status, deletion timestamp with generation, deletion timestamp, content with generation, content"

// Version also waits for the resource version, and so lets all updates through.
var Version = predicate.Or(predicate.ResourceVersionChangedPredicate{}, Generation)

// Set is made with a filter, and another function may put another one there.
var Set = predicate.Funcs{UpdateFunc: moved}

// Configure lets all updates through.
func Configure() { Set = predicate.Funcs{} }

// Filled is filled in later.
var Filled = predicate.Funcs{UpdateFunc: moved}

func init() { Filled.UpdateFunc = nil }

// Replaced is replaced by the package that uses it.
var Replaced = predicate.Funcs{UpdateFunc: moved} // want Replaced:"drops annotations, status, deletion timestamp, anything"
