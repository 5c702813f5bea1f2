// Package readiness says of workloads whether they serve.
package readiness

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
)

// RolledOut says whether all replicas of a set run the wanted revision and are ready.
func RolledOut(set *appsv1.StatefulSet) bool {
	wanted := ptr.Deref(set.Spec.Replicas, 1)
	return set.Status.ObservedGeneration >= set.Generation &&
		set.Status.ReadyReplicas == wanted &&
		set.Status.UpdatedReplicas == wanted
}
