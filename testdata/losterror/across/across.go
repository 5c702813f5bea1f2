// Package across calls functions of another package whose error is that of a request.
package across

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/operators/losterror/across/store"
)

type reconciler struct{ client.Client }

func (r *reconciler) saves(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	if err := store.Save(ctx, r.Client, pod); err != nil && !apierrors.IsConflict(err) { // want unhandled "errors of Save other than Conflict are dropped here: return them, or the write is never retried" @22 "nil is returned here"
		log.FromContext(ctx).Error(err, "save")
	}
	return ctrl.Result{}, nil
}

// The error is not that of a request.
func (r *reconciler) checks(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	if err := store.Check(pod); err != nil && !apierrors.IsConflict(err) {
		log.FromContext(ctx).Error(err, "check")
	}
	return ctrl.Result{}, nil
}
