// Package lib holds what the reconcilers of the package above it share.
package lib

import (
	"context"

	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Guard is the finalizer.
const Guard = "example.com/guard"

// Release cleans up after an object that is being deleted, and says nothing of that.
func Release(ctx context.Context, c client.Client, obj client.Object) error { // want Release:"writes p2 once it is being deleted; removes at once p2 example.com/guard once it is being deleted; tests p2: [unknown]"
	if obj.GetDeletionTimestamp() != nil && controllerutil.ContainsFinalizer(obj, Guard) {
		controllerutil.RemoveFinalizer(obj, Guard)
		return c.Update(ctx, obj)
	}
	return nil
}

// Finish does the same and says so.
func Finish(ctx context.Context, c client.Client, obj client.Object) (done bool, err error) { // want Finish:"writes p2 once it is being deleted; removes at once p2 example.com/guard once it is being deleted; tests p2: [true unknown]"
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
func Hold(ctx context.Context, c client.Client, obj client.Object) error { // want Hold:"writes p2; adds at once p2 example.com/guard"
	if controllerutil.AddFinalizer(obj, Guard) {
		return c.Update(ctx, obj)
	}
	return nil
}

// Keep adds it to what is not being deleted.
func Keep(ctx context.Context, c client.Client, obj client.Object) error { // want Keep:"writes p2; adds at once p2 example.com/guard; tests p2: [true]"
	if !obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	return Hold(ctx, c, obj)
}

// With gives list with f in it.
func With(list []string, f string) []string { // want With:"the list grows"
	for _, x := range list {
		if x == f {
			return list
		}
	}
	return append(list, f)
}

// Op says what Change does.
type Op string

// The ops.
const (
	Put  Op = "put"
	Take Op = "take"
)

// Change adds or removes the finalizer, as it is told.
func Change(ctx context.Context, c client.Client, obj client.Object, op Op) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		next := obj.DeepCopyObject().(client.Object)
		if err := c.Get(ctx, client.ObjectKeyFromObject(obj), next); err != nil {
			return err
		}
		finalizers := next.GetFinalizers()
		switch op {
		case Put:
			finalizers = append(finalizers, Guard)
		case Take:
			finalizers = Without(finalizers, Guard)
		}
		obj.SetFinalizers(finalizers)
		return c.Update(ctx, obj)
	})
}

// Switch adds or removes the finalizer.
func Switch(ctx context.Context, c client.Client, obj client.Object, on bool) error { // want Switch:"writes p2; adds at once p2 example.com/guard if p3 == true; removes at once p2 example.com/guard if p3 == false"
	if on {
		controllerutil.AddFinalizer(obj, Guard)
	} else {
		controllerutil.RemoveFinalizer(obj, Guard)
	}
	return c.Update(ctx, obj)
}

// Without gives list without f.
func Without(list []string, f string) []string { // want Without:"the list shrinks"
	var out []string
	for _, x := range list {
		if x != f {
			out = append(out, x)
		}
	}
	return out
}
