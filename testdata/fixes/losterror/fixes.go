// Package losterror has errors that are lost, and that a fix returns.
package losterror

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type reconciler struct{ client.Client }

func (r *reconciler) unhandled(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	if err := r.Status().Update(ctx, pod); err != nil {
		if apierrors.IsConflict(err) {
			return ctrl.Result{Requeue: true}, nil
		}
		log.FromContext(ctx).Error(err, "status")
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) nilReturned(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if err != nil {
		return err
	}
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		return err
	}
	return nil
}

// The error is not in scope where nil is returned.
func (r *reconciler) outOfScope(ctx context.Context, pod *corev1.Pod) error {
	if err := r.Status().Update(ctx, pod); apierrors.IsNotFound(err) {
		return err
	}
	return nil
}

// Without the return, nothing would use the variable.
func (r *reconciler) unused(ctx context.Context, pod *corev1.Pod) error {
	var err error
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		return err
	}
	return nil
}
