package cleanup

import (
	"context"
	"errors"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func (r *reconciler) jobsOf(ctx context.Context, cm *corev1.ConfigMap) (*batchv1.JobList, error) {
	jobs := &batchv1.JobList{}
	return jobs, r.List(ctx, jobs, client.MatchingLabels{"of": cm.Name})
}

// dropJobs tells of no failed deletion.
func (r *reconciler) dropJobs(ctx context.Context, cm *corev1.ConfigMap) error {
	jobs, err := r.jobsOf(ctx, cm)
	if err != nil {
		return err
	}
	for i := range jobs.Items {
		_ = r.Delete(ctx, &jobs.Items[i])
	}
	return nil
}

func (r *reconciler) noJobs(ctx context.Context, cm *corev1.ConfigMap) bool {
	jobs := &batchv1.JobList{}
	if err := r.List(ctx, jobs, client.MatchingLabels{"of": cm.Name}); err != nil {
		return false
	}
	if len(jobs.Items) > 0 {
		return false
	}
	return true
}

func (r *reconciler) someJobs(ctx context.Context, cm *corev1.ConfigMap) bool {
	jobs := &batchv1.JobList{}
	if err := r.List(ctx, jobs, client.MatchingLabels{"of": cm.Name}); err != nil {
		return false
	}
	return len(jobs.Items) > 0
}

func (r *reconciler) noPods(ctx context.Context, cm *corev1.ConfigMap) bool {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.MatchingLabels{"of": cm.Name}); err != nil {
		return false
	}
	return len(pods.Items) == 0
}

// looksAgain lets it go where no job is left.
func (r *reconciler) looksAgain(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Labels["keep"] == "" {
		if err := r.dropJobs(ctx, cm); err != nil {
			return err
		}
		if !r.noJobs(ctx, cm) {
			return errors.New("some are left")
		}
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: there is none
	return r.Update(ctx, cm)
}

// looksHere does so itself.
func (r *reconciler) looksHere(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.dropJobs(ctx, cm); err != nil {
		return err
	}
	jobs := &batchv1.JobList{}
	if err := r.List(ctx, jobs, client.MatchingLabels{"of": cm.Name}); err != nil {
		return err
	}
	if len(jobs.Items) > 0 {
		return nil
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: there is none
	return r.Update(ctx, cm)
}

// looksForOthers asks for another kind.
func (r *reconciler) looksForOthers(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.dropJobs(ctx, cm); err != nil {
		return err
	}
	if !r.noPods(ctx, cm) {
		return errors.New("some are left")
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Delete fails: dropJobs (line 89) drops the error, so the cleanup is never retried; return it" @25 "the error of this cleanup is ignored" @89 "called here"
	return r.Update(ctx, cm)
}

// looksElse lets it go wherever the look has failed.
func (r *reconciler) looksElse(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.dropJobs(ctx, cm); err != nil {
		return err
	}
	if r.someJobs(ctx, cm) {
		return errors.New("some are left")
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Delete fails: dropJobs (line 101) drops the error, so the cleanup is never retried; return it" @25 "the error of this cleanup is ignored" @101 "called here"
	return r.Update(ctx, cm)
}

// looksBefore has looked when it deletes.
func (r *reconciler) looksBefore(ctx context.Context, cm *corev1.ConfigMap) error {
	if !r.noJobs(ctx, cm) {
		return errors.New("some are left")
	}
	if err := r.dropJobs(ctx, cm); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Delete fails: dropJobs (line 116) drops the error, so the cleanup is never retried; return it" @25 "the error of this cleanup is ignored" @116 "called here"
	return r.Update(ctx, cm)
}
