// Package logged releases objects after a cleanup whose failure is logged. It is reported with -finalizerorder.logged only.
package logged

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type provider interface {
	Destroy(ctx context.Context, name string) error
	Release(ctx context.Context, name string) (bool, error)
}

// Reconciler keeps config maps until what they stand for is gone.
type Reconciler struct {
	client.Client
	cloud provider
}

// Logged says that it failed and goes on.
func (r *Reconciler) Logged(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.Warningf("destroying: %v", err)
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer here even where Destroy at line 28 has failed: what was not cleaned up stays behind for good; return the error first" @28 "the cleanup whose failure is not heeded"
	return r.Update(ctx, cm)
}

// Told waits until the cleanup says that it is done.
func (r *Reconciler) Told(ctx context.Context, cm *corev1.ConfigMap) error {
	done, err := r.cloud.Release(ctx, cm.Name)
	if err != nil {
		klog.ErrorS(err, "releasing")
	}
	if done {
		controllerutil.RemoveFinalizer(cm, guard) // ok: it is done
	}
	return r.Update(ctx, cm)
}
