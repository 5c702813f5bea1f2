// Package helped lets another package change and write finalizers.
package helped

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/helped/lib"
)

type reconciler struct{ client.Client }

// Reconcile lets go of a config map that is being deleted.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !cm.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, lib.TryRemoveFinalizer(ctx, r.Client, cm, "example.com/kept") // ok: the helper writes it
	}
	return ctrl.Result{}, nil
}

// release takes two finalizers off, each after what it is for. The second one is there where somebody finds it, and the helper gets the object
// before it writes.
func (r *reconciler) release(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	if lib.HasFinalizer(cm, "example.com/kept") {
		if err := lib.TryRemoveFinalizer(ctx, r.Client, cm, "example.com/kept"); err != nil {
			return err
		}
	}
	if lib.HasFinalizer(cm, "example.com/other") {
		if err := r.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: cm.Name, Namespace: cm.Namespace}}); client.IgnoreNotFound(err) != nil { // ok: the other finalizer keeps it
			return err
		}
		return lib.TryRemoveFinalizer(ctx, r.Client, cm, "example.com/other") // ok
	}
	return nil
}

// late cleans up when nothing may keep the object any more.
func (r *reconciler) late(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := lib.TryRemoveFinalizer(ctx, r.Client, cm, "example.com/kept"); err != nil {
		return err
	}
	return r.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: cm.Name, Namespace: cm.Namespace}}) // want writeafterremoval "cm may be gone when Delete runs: line 54 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @54 "the finalizer is removed here"
}

var _ = []any{(*reconciler).release, (*reconciler).late}
