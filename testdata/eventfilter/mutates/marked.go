package mutates

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// marked tells the reconciler by an annotation what has happened: the filters of one set are told of once.
func marked() predicate.Funcs {
	mark := func(o client.Object, what string) {
		o.GetAnnotations()["example.com/event"] = what
	}
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.GetAnnotations()["example.com/event"] = "created" // want marks "this filter leaves a mark in Annotations of the event's Object, which belongs to the cache: the next update of the object takes it away, whoever has seen it by then, and a restart" @22 "and so does this one"
			return true
		},
		UpdateFunc: func(e event.UpdateEvent) bool {
			if e.ObjectNew.GetDeletionTimestamp() != nil {
				e.ObjectNew.SetAnnotations(map[string]string{"example.com/event": "deleted"})
			}
			e.ObjectNew.(*corev1.Pod).Spec.NodeName = "" // want mutates "this filter writes to NodeName of the event's ObjectNew, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it"
			return true
		},
		GenericFunc: func(e event.GenericEvent) bool {
			mark(e.Object, "asked")
			return true
		},
	}
}

// markedToo is another set.
func markedToo() predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			e.Object.GetAnnotations()["example.com/event"] = "created" // want marks "this filter leaves a mark in Annotations of the event's Object, which belongs to the cache: the next update of the object takes it away, whoever has seen it by then, and a restart"
			return true
		},
	}
}

// A marker has methods for literals.
type marker struct{ predicate.Funcs }

func (marker) Create(e event.CreateEvent) bool {
	e.Object.SetLabels(nil) // want mutates "marker.Create writes to Labels of the event's Object, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it" @53 "and so does this one"
	return true
}

func (marker) Update(e event.UpdateEvent) bool {
	e.ObjectNew.SetLabels(nil)
	return true
}
