// Package ready says of workloads how they are.
package ready

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/klog/v2"
)

// All says whether all replicas serve.
func All(d *appsv1.Deployment) bool { // want All:"reads the status of p0"
	return d.Spec.Replicas != nil && d.Status.ReadyReplicas == *d.Spec.Replicas
}

// Log only tells of them.
func Log(d *appsv1.Deployment) {
	klog.InfoS("deployment", "ready", d.Status.ReadyReplicas)
}

// Name is a text about one.
func Name(d *appsv1.Deployment) string {
	if d.Status.ReadyReplicas == 0 {
		return d.Name + " (down)"
	}
	return d.Name
}
