// Package pointer compares fields that are pointers.
package pointer

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
)

func replicas(a, b *appsv1.Deployment) bool { return a.Spec.Replicas != b.Spec.Replicas } // want pointer "a.Spec.Replicas and b.Spec.Replicas are pointers: != compares their addresses, not what they point to; use ptr.Equal"

func started(a, b *batchv1.Job) bool { return a.Status.StartTime == b.Status.StartTime } // want pointer "a.Status.StartTime and b.Status.StartTime are pointers: == compares their addresses, not what they point to; use ptr.Equal"

func class(a, b *corev1.PersistentVolumeClaim) bool {
	if a.Spec.StorageClassName == b.Spec.StorageClassName { // want pointer "a.Spec.StorageClassName and b.Spec.StorageClassName are pointers: == compares their addresses, not what they point to; use ptr.Equal"
		return true
	}
	return a.Name == b.Name
}

// New pointers in the fields above.
func set(d *appsv1.Deployment, job *batchv1.Job, claim *corev1.PersistentVolumeClaim, class string, now metav1.Time) {
	d.Spec.Replicas, d.Spec.RevisionHistoryLimit = ptr.To[int32](1), ptr.To[int32](1)
	job.Status.StartTime = &now
	claim.Spec.StorageClassName = &class
}

// The good ones.

// Nobody stores a pointer there.
func notSet(a, b *batchv1.Job) bool {
	return a.Spec.TTLSecondsAfterFinished != b.Spec.TTLSecondsAfterFinished
}

func equal(a, b *appsv1.Deployment) bool { return ptr.Equal(a.Spec.Replicas, b.Spec.Replicas) }

func unset(a *appsv1.Deployment) bool { return a.Spec.Replicas == nil }

func quick(a, b *appsv1.Deployment) bool {
	x, y := a.Spec, b.Spec
	return x.Replicas == y.Replicas || x.Replicas != nil && y.Replicas != nil && *x.Replicas == *y.Replicas
}

func deleted(a, b *appsv1.Deployment) bool { return a.DeletionTimestamp == b.DeletionTimestamp }

func identity(a, b *appsv1.Deployment) bool {
	return a.Spec.Selector == b.Spec.Selector
}

func pointee(a, b *appsv1.Deployment) bool { return *a.Spec.Replicas == *b.Spec.Replicas }

// Two in one function are one finding.
func both(a, b *appsv1.Deployment) bool {
	return a.Spec.RevisionHistoryLimit == b.Spec.RevisionHistoryLimit && // want pointer "a.Spec.RevisionHistoryLimit and b.Spec.RevisionHistoryLimit are pointers: == compares their addresses, not what they point to; use ptr.Equal" @58 "these are compared by their addresses, too"
		a.Spec.ProgressDeadlineSeconds == b.Spec.ProgressDeadlineSeconds
}

func told(a, b *appsv1.Deployment) {
	if b.Spec.Replicas != a.Spec.Replicas {
		if old := ptr.Deref(a.Spec.Replicas, 1); old > 1 {
			klog.Info("the replicas change from ", old)
		}
	}
}

func acted(a, b *appsv1.Deployment, update func()) {
	if a.Spec.Replicas != b.Spec.Replicas { // want pointer "a.Spec.Replicas and b.Spec.Replicas are pointers: != compares their addresses, not what they point to; use ptr.Equal"
		klog.Info("the replicas change")
		update()
	}
}
