// Package loop looks after finalizers, and leaves the cleanup to others.
package loop

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

// Worker does the work for one kind.
type Worker interface {
	Ensure(ctx context.Context, obj client.Object) error
	Finalize(ctx context.Context, obj client.Object) error
}

// Run does one round.
func Run(ctx context.Context, c client.Client, obj client.Object, w Worker) error {
	if obj.GetDeletionTimestamp() != nil {
		if err := w.Finalize(ctx, obj); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(obj, guard)
		return c.Update(ctx, obj)
	}
	if controllerutil.AddFinalizer(obj, guard) {
		return c.Update(ctx, obj)
	}
	return w.Ensure(ctx, obj)
}
