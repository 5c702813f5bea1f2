// Package orphans deletes Jobs.
package orphans

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

func (r *reconciler) stop(ctx context.Context, job *batchv1.Job) error {
	return r.Delete(ctx, job) // want orphanedpods "Delete of a Job without a propagation policy orphans its Pods, which may go on running; pass client.PropagationPolicy(metav1.DeletePropagationBackground)"
}

func stopAll(ctx context.Context, c client.Writer, jobs []batchv1.Job) error {
	for i := range jobs {
		if err := c.Delete(ctx, &jobs[i], client.GracePeriodSeconds(0)); err != nil { // want orphanedpods "Delete of a Job without a propagation policy orphans its Pods, which may go on running; pass client.PropagationPolicy(metav1.DeletePropagationBackground)"
			return err
		}
	}
	return nil
}

// Good: the Pods go with it.
func (r *reconciler) stopped(ctx context.Context, job *batchv1.Job) error {
	return r.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground))
}

// Near miss: the policy is a field of the options.
func (r *reconciler) byOptions(ctx context.Context, job *batchv1.Job) error {
	policy := metav1.DeletePropagationForeground
	return r.Delete(ctx, job, &client.DeleteOptions{PropagationPolicy: &policy})
}

// Near miss: the caller gives the options.
func (r *reconciler) given(ctx context.Context, job *batchv1.Job, options ...client.DeleteOption) error {
	return r.Delete(ctx, job, options...)
}

// Near miss: a wrapper gives the option.
type deleter struct{ client.Client }

func (d *deleter) Delete(ctx context.Context, obj client.Object) error {
	return d.Client.Delete(ctx, obj, client.PropagationPolicy(metav1.DeletePropagationBackground))
}

func wrapped(ctx context.Context, d *deleter, job *batchv1.Job) error {
	return d.Delete(ctx, job)
}

// Near miss: other kinds take what they own with them.
func (r *reconciler) pod(ctx context.Context, pod *corev1.Pod) error {
	return r.Delete(ctx, pod)
}

// Near miss: the option is not known.
func (r *reconciler) by(ctx context.Context, job *batchv1.Job, option client.DeleteOption) error {
	return r.Delete(ctx, job, option)
}

// A client set, without options, and with others.
func byName(ctx context.Context, c kubernetes.Interface, grace int64) error {
	if err := c.BatchV1().Jobs("web").Delete(ctx, "migrate", metav1.DeleteOptions{}); err != nil { // want orphanedpods "Delete of a Job without a propagation policy orphans its Pods, which may go on running; set PropagationPolicy to metav1.DeletePropagationBackground"
		return err
	}
	return c.BatchV1().Jobs("web").Delete(ctx, "migrate", metav1.DeleteOptions{GracePeriodSeconds: &grace}) // want orphanedpods "Delete of a Job without a propagation policy orphans its Pods, which may go on running; set PropagationPolicy to metav1.DeletePropagationBackground"
}

// The options say nothing.
func (r *reconciler) empty(ctx context.Context, job *batchv1.Job) error {
	return r.Delete(ctx, job, &client.DeleteOptions{}) // want orphanedpods "Delete of a Job without a propagation policy orphans its Pods, which may go on running; pass client.PropagationPolicy(metav1.DeletePropagationBackground)"
}

// Good: a client set is told what becomes of the Pods.
func cleaned(ctx context.Context, c kubernetes.Interface) error {
	policy := metav1.DeletePropagationBackground
	return c.BatchV1().Jobs("web").Delete(ctx, "migrate", metav1.DeleteOptions{PropagationPolicy: &policy})
}

// Near miss: the policy is set later.
func later(ctx context.Context, c kubernetes.Interface) error {
	options := metav1.DeleteOptions{}
	policy := metav1.DeletePropagationBackground
	options.PropagationPolicy = &policy
	return c.BatchV1().Jobs("web").Delete(ctx, "migrate", options)
}

// Near miss: the function may set it.
func prepared(ctx context.Context, c kubernetes.Interface, prepare func(*metav1.DeleteOptions)) error {
	var options metav1.DeleteOptions
	prepare(&options)
	return c.BatchV1().Jobs("web").Delete(ctx, "migrate", options)
}

// Near miss: the Pods are deleted by their label.
func (r *reconciler) withPods(ctx context.Context, job *batchv1.Job) error {
	if err := r.Delete(ctx, job); err != nil {
		return err
	}
	return r.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(job.Namespace), client.MatchingLabels{batchv1.JobNameLabel: job.Name})
}
