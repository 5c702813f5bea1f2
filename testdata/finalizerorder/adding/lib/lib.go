// Package lib holds what the reconcilers of the package above it share.
package lib

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Guard is the finalizer.
const Guard = "example.com/guard"

// Release cleans up after an object that is being deleted, and says nothing of that.
func Release(ctx context.Context, c client.Client, obj client.Object) error {
	if obj.GetDeletionTimestamp() != nil && controllerutil.ContainsFinalizer(obj, Guard) {
		controllerutil.RemoveFinalizer(obj, Guard)
		return c.Update(ctx, obj)
	}
	return nil
}

// Finish does the same and says so.
func Finish(ctx context.Context, c client.Client, obj client.Object) (done bool, err error) {
	if obj.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	controllerutil.RemoveFinalizer(obj, Guard)
	if err := c.Update(ctx, obj); err != nil {
		return false, err
	}
	return true, nil
}

// Hold adds the finalizer.
func Hold(ctx context.Context, c client.Client, obj client.Object) error {
	if controllerutil.AddFinalizer(obj, Guard) {
		return c.Update(ctx, obj)
	}
	return nil
}

// Keep adds it to what is not being deleted.
func Keep(ctx context.Context, c client.Client, obj client.Object) error {
	if !obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	return Hold(ctx, c, obj)
}

// With gives list with f in it.
func With(list []string, f string) []string {
	for _, x := range list {
		if x == f {
			return list
		}
	}
	return append(list, f)
}
