package gpupool

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

const poolLabel = "gpu.hpc.example/pool"

// poolParts lets those events of the parts of a pool through that the reconciler must answer.
type poolParts struct{}

func (poolParts) Create(e event.CreateEvent) bool {
	switch e.Object.(type) {
	case *GPUPool:
		return true
	case *appsv1.DaemonSet, *corev1.ServiceAccount, *policyv1.PodDisruptionBudget:
		return e.Object.GetLabels()[poolLabel] != ""
	}
	return false
}

func (poolParts) Update(e event.UpdateEvent) bool {
	switch cur := e.ObjectNew.(type) {
	case *GPUPool:
		return cur.Generation != e.ObjectOld.GetGeneration()
	case *appsv1.DaemonSet:
		was, ok := e.ObjectOld.(*appsv1.DaemonSet)
		return !ok || cur.Generation != was.Generation || cur.Status.NumberReady != was.Status.NumberReady
	case *policyv1.PodDisruptionBudget:
		was, ok := e.ObjectOld.(*policyv1.PodDisruptionBudget)
		return !ok || !equality.Semantic.DeepEqual(cur.Spec, was.Spec)
	case *corev1.ServiceAccount:
		return !equality.Semantic.DeepEqual(cur.OwnerReferences, e.ObjectOld.GetOwnerReferences())
	}
	return false
}

func (poolParts) Delete(e event.DeleteEvent) bool {
	switch e.Object.(type) {
	case *GPUPool:
		return true
	case *appsv1.DaemonSet, *corev1.ServiceAccount:
		return e.Object.GetLabels()[poolLabel] != ""
	}
	return false
}

func (poolParts) Generic(event.GenericEvent) bool { return false }
