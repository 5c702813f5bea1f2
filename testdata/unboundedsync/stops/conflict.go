package stops

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// retried asks for another turn after a conflict only: each other error ends it.
func retried(ctx context.Context, cs kubernetes.Interface, change func(*corev1.Node) error) error {
	return wait.PollInfinite(time.Second, func() (bool, error) { // ok: a retry
		node, err := cs.CoreV1().Nodes().Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		if err := change(node); err != nil {
			return false, err
		}
		if _, err := cs.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			if apierrors.IsConflict(err) {
				return false, nil
			}
			return false, err
		}
		return true, nil
	})
}

// patient goes on after all of them.
func patient(ctx context.Context, cs kubernetes.Interface) error {
	return wait.PollInfinite(time.Second, func() (bool, error) { // want neverstops "wait.PollInfinite may wait forever for its condition to hold: it takes neither a timeout nor a context; use a variant with a context or timeout"
		node, err := cs.CoreV1().Nodes().Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return false, nil
		}
		return node.Spec.Unschedulable, nil
	})
}
