package good

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// done says nothing of what has failed: there is nothing to return.
func done(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.DeletionTimestamp == nil {
		return nil
	}
	if err := forget(ctx, c, pod.Name); err != nil { // ok: that is never so
		klog.ErrorS(err, "forgetting")
	}
	controllerutil.RemoveFinalizer(pod, "example.com/done")
	return c.Update(ctx, pod)
}

func forget(ctx context.Context, c client.Client, name string) error {
	secret := &corev1.Secret{}
	secret.Name = name
	if err := c.Get(ctx, client.ObjectKeyFromObject(secret), secret); err != nil {
		return nil
	}
	if err := c.Delete(ctx, secret); err != nil {
		klog.InfoS("best effort: not deleted", "error", err)
	}
	return nil
}

var _ = done
