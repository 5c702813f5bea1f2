// Package retried sends again what was refused.
package retried

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	typed kubernetes.Interface
}

func (r *reconciler) label(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		pod.Labels = map[string]string{"tried": "yes"}
		return r.Update(ctx, pod) // want samecopy "pod is not read again in the function that RetryOnConflict runs: each try has the same conflict; Get it there first" @24 "the function is run again after a conflict"
	})
}

func (r *reconciler) fail(ctx context.Context, pod *corev1.Pod) error {
	pod.Status.Phase = corev1.PodFailed
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		return r.Status().Update(ctx, pod) // want samecopy "pod is not read again in the function that RetryOnConflict runs: each try has the same conflict; Get it there first" @32 "the function is run again after a conflict"
	})
}

func (r *reconciler) cordon(ctx context.Context, name string) error {
	node, err := r.typed.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	node.Spec.Unschedulable = true
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		_, err := r.typed.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}) // want samecopy "node is not read again in the function that RetryOnConflict runs: each try has the same conflict; Get it there first" @43 "the function is run again after a conflict"
		return err
	})
}

// Good: each try reads it.
func (r *reconciler) labelled(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.Get(ctx, key, pod); err != nil {
			return err
		}
		pod.Labels = map[string]string{"tried": "yes"}
		return r.Update(ctx, pod)
	})
}

// Near miss: the version alone is read.
func (r *reconciler) versioned(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		latest := &corev1.Pod{}
		if err := r.Get(ctx, client.ObjectKeyFromObject(pod), latest); err != nil {
			return err
		}
		pod.ResourceVersion = latest.ResourceVersion
		return r.Update(ctx, pod)
	})
}

// Near miss: a function reads it.
func (r *reconciler) refreshed(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.refresh(ctx, pod); err != nil {
			return err
		}
		return r.Update(ctx, pod)
	})
}

func (r *reconciler) refresh(ctx context.Context, pod *corev1.Pod) error {
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Near miss: it is read after a failure, and that is what is sent next.
func (r *reconciler) after(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		err := r.Update(ctx, pod)
		if err != nil {
			_ = r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		}
		return err
	})
}

// Near miss: without a resource version there are no conflicts.
func (r *reconciler) unconditional(ctx context.Context) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return r.Update(ctx, pod)
	})
}

// Near miss: nor has a patch one.
func (r *reconciler) patched(ctx context.Context, pod *corev1.Pod, patch client.Patch) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return r.Patch(ctx, pod, patch)
	})
}

// Near miss: the variable is another object after a conflict.
func (r *reconciler) renewed(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		err := r.Update(ctx, pod)
		if err != nil {
			pod, _ = r.typed.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		}
		return err
	})
}
