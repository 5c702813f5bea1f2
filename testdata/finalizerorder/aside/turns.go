package aside

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A row of sheds, each with something outside.
type row struct {
	client.Client
	rent interface {
		ReleaseRent(ctx context.Context, name string) error
	}
}

// all cleans up for one after the other, each before its finalizer goes.
func (r *row) all(ctx context.Context) error {
	var list corev1.ConfigMapList
	if err := r.List(ctx, &list); err != nil {
		return err
	}
	for i := range list.Items {
		cm := &list.Items[i]
		if cm.DeletionTimestamp.IsZero() {
			continue
		}
		if err := r.rent.ReleaseRent(ctx, cm.Name); err != nil { // ok: what has lost its finalizer is the one of the turn before
			return err
		}
		controllerutil.RemoveFinalizer(cm, "example.com/rent")
		if err := r.Update(ctx, cm); err != nil {
			return err
		}
	}
	return nil
}

var _ = (*row).all
