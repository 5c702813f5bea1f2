// Package overwritten sends the answer of a request in place of what was written.
package overwritten

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/cleanup"

type reconciler struct{ client.Client }

// The answer has the stored phase.
func (r *reconciler) guarded(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	if controllerutil.AddFinalizer(pod, guard) {
		if err := r.Update(ctx, pod); err != nil { // want overwritten "the answer of Update may replace status.phase (line 20), which is sent afterwards (line 26); set it again, or pass a DeepCopy" @20 "status.phase is written here" @26 "it is sent here"
			return err
		}
	}
	return r.Status().Update(ctx, pod)
}

// The answer has the stored finalizers.
func (r *reconciler) statusFirst(ctx context.Context, key client.ObjectKey) error {
	existing := &corev1.Pod{}
	if err := r.Get(ctx, key, existing); err != nil {
		return err
	}
	pod := existing.DeepCopy()
	controllerutil.AddFinalizer(pod, guard)
	pod.Status.Phase = corev1.PodRunning
	updateFinalizers := !equality.Semantic.DeepEqual(existing.Finalizers, pod.Finalizers)
	if err := r.Status().Update(ctx, pod); err != nil { // want overwritten "the answer of Status().Update may replace metadata.finalizers (line 36), which is sent afterwards (line 43); set it again, or pass a DeepCopy" @36 "metadata.finalizers is written here" @43 "it is sent here"
		return err
	}
	if updateFinalizers {
		return r.Update(ctx, pod)
	}
	return nil
}

// The object is read again, and a callee sends what was read.
func (r *reconciler) reread(ctx context.Context, key client.ObjectKey, pod *corev1.Pod) error {
	pod.Status.Reason = "Failed"
	if err := r.Get(ctx, key, pod); err != nil { // want overwritten "the answer of Get may replace status.reason (line 50), which is sent afterwards (line 54); set it again, or pass a DeepCopy" @50 "status.reason is written here" @54 "it is sent here"
		return err
	}
	return r.sendStatus(ctx, pod)
}

func (r *reconciler) sendStatus(ctx context.Context, pod *corev1.Pod) error {
	return r.Status().Update(ctx, pod)
}

// Good: the status is written into the answer.
func (r *reconciler) statusLast(ctx context.Context, pod *corev1.Pod) error {
	if controllerutil.AddFinalizer(pod, guard) {
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	pod.Status.Phase = corev1.PodPending
	return r.Status().Update(ctx, pod)
}

// Near miss: a copy is sent, which gets the answer.
func (r *reconciler) copied(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	if err := r.Update(ctx, pod.DeepCopy()); err != nil {
		return err
	}
	return r.Status().Update(ctx, pod)
}

// Near miss: the status is put back.
func (r *reconciler) saved(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	status := pod.Status.DeepCopy()
	if err := r.Update(ctx, pod); err != nil {
		return err
	}
	pod.Status = *status
	return r.Status().Update(ctx, pod)
}

// Near miss: the status is sent before.
func (r *reconciler) sent(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	if err := r.Status().Update(ctx, pod); err != nil {
		return err
	}
	pod.Labels = map[string]string{"pending": "true"}
	if err := r.Update(ctx, pod); err != nil {
		return err
	}
	return r.Status().Update(ctx, pod)
}

// Near miss: a request that has failed has no answer.
func (r *reconciler) failed(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	if err := r.Update(ctx, pod); err != nil {
		return r.Status().Update(ctx, pod)
	}
	return nil
}

// Near miss: a dry run, whose answer has what would be stored.
func (r *reconciler) dry(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodPending
	if err := r.Update(ctx, pod, client.DryRunAll); err != nil {
		return err
	}
	return r.Status().Update(ctx, pod)
}

// Near miss: the object is gone then.
func (r *reconciler) gone(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodSucceeded
	if !pod.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(pod, guard)
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	return r.Status().Update(ctx, pod)
}

// Near miss: another round has another object.
func (r *reconciler) each(ctx context.Context, keys []client.ObjectKey) error {
	for _, key := range keys {
		pod := &corev1.Pod{}
		if err := r.Get(ctx, key, pod); err != nil {
			return err
		}
		if pod.Status.Phase == "" {
			pod.Status.Phase = corev1.PodPending
		}
		if err := r.Status().Update(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// Near miss: after a conflict, the object is read and the status set again.
func (r *reconciler) again(ctx context.Context, key client.ObjectKey, pod *corev1.Pod) error {
	for {
		pod.Status.Phase = corev1.PodPending
		err := r.Status().Update(ctx, pod)
		if !apierrors.IsConflict(err) {
			return err
		}
		if err := r.Get(ctx, key, pod); err != nil {
			return err
		}
	}
}

// Near miss: what is in the new object is for the case that none is stored.
func (r *reconciler) getOrCreate(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = key.Name, key.Namespace
	if err := r.Get(ctx, key, pod); apierrors.IsNotFound(err) {
		return r.Create(ctx, pod)
	} else if err != nil {
		return err
	}
	return r.Update(ctx, pod)
}

// Near miss: where there is no request, nothing was written before it.
func (r *reconciler) unwritten(ctx context.Context, pod *corev1.Pod) error {
	if controllerutil.AddFinalizer(pod, guard) {
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	pod.Status.Phase = corev1.PodPending
	if err := r.Status().Update(ctx, pod); err != nil {
		return err
	}
	return r.Update(ctx, pod)
}
