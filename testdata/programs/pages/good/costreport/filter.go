package costreport

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// costEvents passes the events that change what a team pays for.
type costEvents struct{}

func charged(o client.Object) bool { return o.GetLabels()[teamLabel] != "" }

// Create implements predicate.Predicate.
func (costEvents) Create(e event.CreateEvent) bool {
	switch o := e.Object.(type) {
	case *corev1.Pod:
		return charged(o) && o.Spec.NodeName != ""
	case *corev1.PersistentVolumeClaim:
		return charged(o)
	case *corev1.Service:
		return charged(o)
	default:
		return true
	}
}

// Update implements predicate.Predicate.
func (costEvents) Update(e event.UpdateEvent) bool {
	if !maps.Equal(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels()) {
		return charged(e.ObjectOld) || charged(e.ObjectNew)
	}
	switch cur := e.ObjectNew.(type) {
	case *corev1.Pod:
		old := e.ObjectOld.(*corev1.Pod)
		return charged(cur) && (old.Spec.NodeName != cur.Spec.NodeName || old.Status.Phase != cur.Status.Phase ||
			!equality.Semantic.DeepEqual(old.Spec.Containers, cur.Spec.Containers))
	case *corev1.PersistentVolumeClaim:
		old := e.ObjectOld.(*corev1.PersistentVolumeClaim)
		return charged(cur) && !equality.Semantic.DeepEqual(old.Status.Capacity, cur.Status.Capacity)
	case *corev1.Service:
		return charged(cur) && e.ObjectOld.(*corev1.Service).Spec.Type != cur.Spec.Type
	default:
		return true
	}
}

// Delete implements predicate.Predicate. A pod that had come to its end was
// taken off the bill then; all else is at its deletion.
func (costEvents) Delete(e event.DeleteEvent) bool {
	switch o := e.Object.(type) {
	case *corev1.Pod:
		return charged(o) && o.Status.Phase != corev1.PodSucceeded && o.Status.Phase != corev1.PodFailed
	default:
		return true
	}
}

// Generic implements predicate.Predicate.
func (costEvents) Generic(event.GenericEvent) bool { return true }
