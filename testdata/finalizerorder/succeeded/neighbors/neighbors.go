// Package neighbors has a reconciler that deletes another object of its own kind.
package neighbors

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

// neighbors deletes another object of its own kind, in its own cluster.
type neighbors struct{ client.Client }

func (r *neighbors) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).Complete(r)
}

func (r *neighbors) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pvc corev1.PersistentVolumeClaim
	if err := r.Get(ctx, req.NamespacedName, &pvc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	copied := r.copied(&pvc)
	if !pvc.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, copied); !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err // ok: an event may come of it
		}
		if controllerutil.RemoveFinalizer(&pvc, guard) {
			return ctrl.Result{}, r.Update(ctx, &pvc)
		}
	}
	return ctrl.Result{}, nil
}

func (r *neighbors) copied(pvc *corev1.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	made := pvc.DeepCopy()
	made.Namespace = "copies"
	return made
}
