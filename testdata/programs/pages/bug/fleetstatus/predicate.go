package fleetstatus

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// workloadEvents lets the events of workloads through that belong to a fleet
// and that change what the fleet counts.
type workloadEvents struct{}

func member(o client.Object) bool { return o.GetLabels()[fleetLabel] != "" }

// moved says whether the object is now of another fleet, or of none.
func moved(old, cur client.Object) bool {
	return old.GetLabels()[fleetLabel] != cur.GetLabels()[fleetLabel]
}

// Create implements predicate.Predicate.
func (workloadEvents) Create(e event.CreateEvent) bool {
	switch e.Object.(type) {
	case *Fleet:
		return true
	case *appsv1.Deployment, *appsv1.StatefulSet, *batchv1.CronJob:
		return member(e.Object)
	}
	return false
}

// Update implements predicate.Predicate.
func (workloadEvents) Update(e event.UpdateEvent) bool {
	switch cur := e.ObjectNew.(type) {
	case *Fleet:
		return cur.Generation != e.ObjectOld.GetGeneration()
	case *appsv1.Deployment:
		old := e.ObjectOld.(*appsv1.Deployment)
		return moved(old, cur) || member(cur) && old.Status.ReadyReplicas != cur.Status.ReadyReplicas
	case *appsv1.StatefulSet:
		old := e.ObjectOld.(*appsv1.StatefulSet)
		return moved(old, cur) || member(cur) && old.Status.ReadyReplicas != cur.Status.ReadyReplicas
	case *batchv1.CronJob:
		old := e.ObjectOld.(*batchv1.CronJob)
		return moved(old, cur) || member(cur) && len(old.Status.Active) != len(cur.Status.Active)
	}
	return false
}

// Delete implements predicate.Predicate.
func (workloadEvents) Delete(e event.DeleteEvent) bool {
	switch e.Object.(type) {
	case *Fleet:
		return true
	case *appsv1.Deployment, *appsv1.StatefulSet:
		return member(e.Object)
	}
	return false
}

// Generic implements predicate.Predicate.
func (workloadEvents) Generic(event.GenericEvent) bool { return false }
