package persist

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type keeper struct{ client.Client }

// instead edits the object that it is given, and writes the one that it has read.
func (k *keeper) instead(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		now := &corev1.Pod{}
		if err := k.Get(ctx, client.ObjectKeyFromObject(pod), now); err != nil {
			return err
		}
		controllerutil.AddFinalizer(pod, "example.com/kept") // want notpersisted "pod gets this finalizer in memory, but line 22 writes now, which is as it was read: nothing writes the change; change the object that is written" @22 "another object is written here"
		return k.Update(ctx, now)
	})
}

// fresh edits the one that it writes.
func (k *keeper) fresh(ctx context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		now := &corev1.Pod{}
		if err := k.Get(ctx, client.ObjectKeyFromObject(pod), now); err != nil {
			return err
		}
		controllerutil.AddFinalizer(now, "example.com/kept") // ok
		return k.Update(ctx, now)
	})
}

// copies takes the finalizers over.
func (k *keeper) copies(ctx context.Context, pod *corev1.Pod) error {
	now := &corev1.Pod{}
	if err := k.Get(ctx, client.ObjectKeyFromObject(pod), now); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, "example.com/kept") // ok
	now.Finalizers = pod.Finalizers
	return k.Update(ctx, now)
}

// both writes each of them.
func (k *keeper) both(ctx context.Context, pod *corev1.Pod) error {
	other := &corev1.Pod{}
	if err := k.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: pod.Labels["other"]}, other); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, "example.com/kept") // ok
	if err := k.Update(ctx, other); err != nil {
		return err
	}
	return k.Update(ctx, pod)
}
