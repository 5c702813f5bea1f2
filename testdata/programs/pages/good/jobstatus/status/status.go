// Package status computes statuses of Jobs.
package status

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Suspended gives a copy of the job that says why it is suspended. The job itself is only read.
func Suspended(job *batchv1.Job, reason, message string, now metav1.Time) *batchv1.Job {
	next := *job // what is written to below gets a list or map of its own first
	next.Status.Conditions = slices.Clone(job.Status.Conditions)
	next.Annotations = maps.Clone(job.Annotations)
	if next.Annotations == nil {
		next.Annotations = map[string]string{}
	}
	next.Annotations["queue.example.org/suspended-for"] = reason

	i := slices.IndexFunc(next.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == batchv1.JobSuspended })
	if i < 0 {
		next.Status.Conditions = append(next.Status.Conditions, batchv1.JobCondition{Type: batchv1.JobSuspended})
		i = len(next.Status.Conditions) - 1
	}
	cond := &next.Status.Conditions[i]
	if cond.Status != corev1.ConditionTrue {
		cond.Status, cond.LastTransitionTime = corev1.ConditionTrue, now
	}
	cond.Reason, cond.Message, cond.LastProbeTime = reason, message, now
	return &next
}
