// Package predicate has the predicates of the operator.
package predicate

import (
	"bytes"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// PayloadChanged passes updates that move the generation, those that change
// labels, and for the kinds without a generation those that change the data.
func PayloadChanged() predicate.Predicate {
	return predicate.Or(predicate.Predicate(predicate.GenerationChangedPredicate{}), predicate.Predicate(data{}))
}

type data struct{ predicate.Funcs }

// Update implements predicate.Predicate.
func (data) Update(e event.UpdateEvent) bool {
	if !maps.Equal(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels()) {
		return true
	}
	switch cur := e.ObjectNew.(type) {
	case *corev1.Secret:
		old, ok := e.ObjectOld.(*corev1.Secret)
		return !ok || old.Type != cur.Type || !maps.EqualFunc(old.Data, cur.Data, bytes.Equal)
	case *corev1.ConfigMap:
		old, ok := e.ObjectOld.(*corev1.ConfigMap)
		return !ok || !maps.Equal(old.Data, cur.Data) || !maps.EqualFunc(old.BinaryData, cur.BinaryData, bytes.Equal)
	}
	return false
}
