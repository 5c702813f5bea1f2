// Package lifecycle has what all reconcilers of the vault operator do about
// their finalizers.
package lifecycle

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Cleaner takes away what was made outside for an object.
type Cleaner interface {
	FinalizerName() string
	Cleanup(ctx context.Context, obj client.Object) error
}

// Handle says whether the reconciler has to stop here.
func Handle(ctx context.Context, c client.Client, obj client.Object, cl Cleaner) (bool, error) {
	name := cl.FinalizerName()
	if obj.GetDeletionTimestamp().IsZero() {
		if controllerutil.AddFinalizer(obj, name) {
			if err := c.Update(ctx, obj); err != nil {
				return true, fmt.Errorf("add finalizer %s: %w", name, err)
			}
		}
		return false, nil
	}
	if !controllerutil.ContainsFinalizer(obj, name) {
		return true, nil
	}
	if err := cl.Cleanup(ctx, obj); err != nil {
		return true, fmt.Errorf("cleanup of %s: %w", obj.GetName(), err)
	}
	controllerutil.RemoveFinalizer(obj, name)
	if err := c.Update(ctx, obj); err != nil {
		return true, fmt.Errorf("remove finalizer %s: %w", name, err)
	}
	return true, nil
}
