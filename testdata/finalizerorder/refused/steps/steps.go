// Package steps holds the steps of reconciles.
package steps

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Finalizer is the one of all of them.
const Finalizer = "example.com/steps"

// Finish lets pod go where it is being deleted.
func Finish(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil && controllerutil.ContainsFinalizer(pod, Finalizer) {
		controllerutil.RemoveFinalizer(pod, Finalizer)
		return c.Update(ctx, pod)
	}
	return nil
}

var errFinished = errors.New("finished")

// FinishAndSaySo fails where it has let pod go.
func FinishAndSaySo(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil && controllerutil.ContainsFinalizer(pod, Finalizer) {
		controllerutil.RemoveFinalizer(pod, Finalizer)
		if err := c.Update(ctx, pod); err != nil {
			return err
		}
		return errFinished
	}
	return nil
}

// Guard puts finalizer on obj.
func Guard(ctx context.Context, c client.Client, obj client.Object, finalizer string) error {
	if controllerutil.ContainsFinalizer(obj, finalizer) {
		return nil
	}
	controllerutil.AddFinalizer(obj, finalizer)
	return c.Update(ctx, obj)
}
