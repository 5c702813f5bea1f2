package handed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// own looks after the finalizer itself.
type own struct{ client.Client }

func (r *own) reconcile(ctx context.Context, svc *corev1.Service) error {
	if svc.DeletionTimestamp != nil {
		var cm corev1.ConfigMap
		if err := r.Get(ctx, client.ObjectKey{Namespace: "system", Name: "shared"}, &cm); err != nil { // want unreachable "svc keeps its finalizer if its ConfigMap is gone: this lookup fails before line 24 removes it; handle deletion first or ignore NotFound" @24 "the finalizer is removed here"
			return err
		}
		delete(cm.Data, svc.Name)
		if err := r.Update(ctx, &cm); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(svc, "example.com/own")
		return r.Update(ctx, svc)
	}
	controllerutil.AddFinalizer(svc, "example.com/own")
	return r.Update(ctx, svc)
}
