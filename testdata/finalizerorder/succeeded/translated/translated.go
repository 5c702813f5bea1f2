// Package translated has a reconciler of objects that another cluster has, too.
package translated

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/succeeded/translate"
)

const guard = "example.com/guard"

// translated deletes what another package has made of a copy of its object, in another cluster, of which it hears nothing.
type translated struct{ here, there client.Client }

func (r *translated) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).Complete(r)
}

func (r *translated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pvc := &corev1.PersistentVolumeClaim{}
	if err := r.here.Get(ctx, req.NamespacedName, pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	synced := r.host(pvc)
	if !pvc.DeletionTimestamp.IsZero() {
		if err := r.there.Delete(ctx, synced); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // want unreachable "pvc keeps its finalizer once Delete at line 32 has succeeded: this returns then, too, without an error, and nothing brings the object back to where the finalizer goes; go on where the error is nil" @32 "its success is no error" @35 "the finalizer goes here"
		}
		controllerutil.RemoveFinalizer(pvc, guard)
		return ctrl.Result{}, r.here.Update(ctx, pvc)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.there.Create(ctx, synced))
}

func (r *translated) host(pvc *corev1.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	copied := pvc.DeepCopy()
	translate.ToHost(copied)
	return copied
}
