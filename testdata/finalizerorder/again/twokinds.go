package again

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// twokinds looks after two kinds under one name.
type twokinds struct{ reconciler }

func (r *twokinds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err == nil {
		if !svc.DeletionTimestamp.IsZero() {
			if controllerutil.ContainsFinalizer(svc, guard) {
				if err := r.cloud.DeleteBalancer(ctx, svc.Name); err != nil {
					return ctrl.Result{}, err
				}
				if err := r.release(ctx, svc); err != nil {
					return ctrl.Result{}, err
				}
			}
		} else if controllerutil.AddFinalizer(svc, guard) {
			return ctrl.Result{}, r.Update(ctx, svc)
		}
	}
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.balance(ctx, pod) // ok: for the Pod, which is not being deleted
	}
	return ctrl.Result{}, nil
}

func (r *twokinds) balance(ctx context.Context, pod *corev1.Pod) error {
	return r.cloud.CreateBalancer(ctx, pod.Name)
}
