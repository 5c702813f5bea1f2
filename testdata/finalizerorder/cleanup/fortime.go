package cleanup

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var errBusy = errors.New("busy")

func requeue(err error) (ctrl.Result, error) { return ctrl.Result{Requeue: true}, err }

// forTime tries for an hour, and lets the object go then.
func (r *reconciler) forTime(ctx context.Context, cm *corev1.ConfigMap) (ctrl.Result, error) {
	defer klog.InfoS("done")
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		if time.Since(cm.DeletionTimestamp.Time) < time.Hour {
			klog.ErrorS(err, "destroying, once more")
			if errors.Is(err, errBusy) {
				return ctrl.Result{RequeueAfter: time.Minute}, nil
			}
			return requeue(err)
		}
		klog.ErrorS(err, "destroying: given up")
	}
	controllerutil.RemoveFinalizer(cm, guard) // ok: meant so
	return ctrl.Result{}, r.Update(ctx, cm)
}

// otherwise asks for something else before it comes back, and says nothing of the failure.
func (r *reconciler) otherwise(ctx context.Context, cm *corev1.ConfigMap) (ctrl.Result, error) {
	if err := r.cloud.Destroy(ctx, cm.Name); err != nil {
		klog.ErrorS(err, "destroying")
	}
	if cm.Data["left"] != "" {
		return requeue(errBusy)
	}
	controllerutil.RemoveFinalizer(cm, guard) // want removedonerror "cm loses its finalizer even if Destroy (line 37) fails: the cleanup is never retried; return the error first" @37 "the error of this cleanup is ignored"
	return ctrl.Result{}, r.Update(ctx, cm)
}
