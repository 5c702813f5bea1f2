package persist

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// latest asks a copy whether there is something to do, and does it to the latest one.
func (k *keeper) latest(ctx context.Context, quotas listers.ResourceQuotaLister, namespace, name string) error {
	quota, err := quotas.ResourceQuotas(namespace).Get(name)
	if err != nil {
		return err
	}
	asked := quota.DeepCopy()
	if !controllerutil.RemoveFinalizer(asked, "example.com/kept") { // ok: what is written is another one
		return nil
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		is := &corev1.ResourceQuota{}
		if err := k.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, is); err != nil {
			return err
		}
		if !controllerutil.RemoveFinalizer(is, "example.com/kept") {
			return nil
		}
		return k.Update(ctx, is)
	})
}

// unwritten asks a copy, and writes nothing.
func (k *keeper) unwritten(ctx context.Context, quotas listers.ResourceQuotaLister, namespace, name string) error {
	quota, err := quotas.ResourceQuotas(namespace).Get(name)
	if err != nil {
		return err
	}
	asked := quota.DeepCopy()
	if controllerutil.RemoveFinalizer(asked, "example.com/kept") { // want notpersisted "asked loses a finalizer here in memory only: no Update or Patch of it follows in (*keeper).unwritten, and the change is lost"
		return retry.RetryOnConflict(retry.DefaultRetry, func() error {
			is := &corev1.ResourceQuota{}
			return k.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, is)
		})
	}
	return nil
}
