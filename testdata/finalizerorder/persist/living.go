package persist

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// living writes what is alive, and takes the finalizer off what is not.
func (k *keeper) living(ctx context.Context, key client.ObjectKey) error {
	quota := &corev1.ResourceQuota{}
	if err := k.Get(ctx, key, quota); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !quota.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(quota, "example.com/kept") // want notpersisted "quota loses a finalizer here in memory only: no Update or Patch of it follows in (*keeper).living, and the change is lost"
	}
	if !quota.DeletionTimestamp.IsZero() {
		return nil
	}
	quota.Labels = map[string]string{"seen": "yes"}
	return k.Update(ctx, quota)
}

// all writes each of them.
func (k *keeper) all(ctx context.Context, key client.ObjectKey) error {
	quota := &corev1.ResourceQuota{}
	if err := k.Get(ctx, key, quota); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !quota.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(quota, "example.com/kept") // ok
	} else {
		quota.Labels = map[string]string{"seen": "yes"}
	}
	return k.Update(ctx, quota)
}
