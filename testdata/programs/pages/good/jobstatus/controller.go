// No bug: the Job of the lister is copied by assignment, but the map and the list of the copy that are written to were cloned before, and all else of it is only read.
//
//adv:rule=cachemutation sub=shallow claim=no

// Package jobstatus tells users why the queue holds their Jobs back.
package jobstatus

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	batchlisters "k8s.io/client-go/listers/batch/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/pages/good/jobstatus/status"
)

// Queue knows what holds a Job back.
type Queue interface {
	Held(namespace, name string) (reason, message string, held bool)
}

// Reporter writes what the queue says to the Jobs.
type Reporter struct {
	client kubernetes.Interface
	jobs   batchlisters.JobLister
	synced cache.InformerSynced
	queue  Queue
}

// NewReporter makes one.
func NewReporter(client kubernetes.Interface, factory informers.SharedInformerFactory, queue Queue) *Reporter {
	jobs := factory.Batch().V1().Jobs()
	return &Reporter{client: client, jobs: jobs.Lister(), synced: jobs.Informer().HasSynced, queue: queue}
}

// Run reports until ctx ends.
func (r *Reporter) Run(ctx context.Context) {
	if !cache.WaitForNamedCacheSync("job-status", ctx.Done(), r.synced) {
		return
	}
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		jobs, err := r.jobs.List(labels.Everything())
		if err != nil {
			klog.ErrorS(err, "jobs not listed")
			return
		}
		for _, job := range jobs {
			if err := r.report(ctx, job); err != nil {
				klog.ErrorS(err, "status not written", "job", klog.KObj(job))
			}
		}
	}, 30*time.Second)
}

func (r *Reporter) report(ctx context.Context, job *batchv1.Job) error {
	reason, message, held := r.queue.Held(job.Namespace, job.Name)
	if !held || job.DeletionTimestamp != nil || said(job, reason, message) {
		return nil
	}
	next := status.Suspended(job, reason, message, metav1.Now())
	client := r.client.BatchV1().Jobs(job.Namespace)
	written, err := client.Update(ctx, next, metav1.UpdateOptions{})
	if err != nil {
		if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
			return nil // the next pass has a newer one
		}
		return fmt.Errorf("annotate: %w", err)
	}
	written.Status = next.Status
	if _, err := client.UpdateStatus(ctx, written, metav1.UpdateOptions{}); err != nil && !apierrors.IsConflict(err) {
		return fmt.Errorf("write status: %w", err)
	}
	return nil
}

func said(job *batchv1.Job, reason, message string) bool {
	for _, c := range job.Status.Conditions {
		if c.Type == batchv1.JobSuspended && c.Status == corev1.ConditionTrue {
			return c.Reason == reason && c.Message == message
		}
	}
	return false
}
