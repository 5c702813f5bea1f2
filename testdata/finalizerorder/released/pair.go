package released

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const shared = "example.com/shared"

// pair goes although the finalizer on the other one may still be there, which nobody takes off then.
func (r *reconciler) pair(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: pod.Labels["claim"]}, claim); err != nil { // want unreachable "pod keeps its finalizer if its PersistentVolumeClaim is gone: this lookup fails before line 26 removes it; handle deletion first or ignore NotFound" @26 "the finalizer is removed here"
		return err
	}
	if controllerutil.RemoveFinalizer(claim, shared) {
		_ = r.Update(ctx, claim)
	}
	controllerutil.RemoveFinalizer(pod, "example.com/kept") // want removedonerror "pod loses its finalizer even if Update (line 24) fails: the cleanup is never retried; return the error first" @24 "the error of this cleanup is ignored"
	return r.Update(ctx, pod)
}

// heeds the failure.
func (r *reconciler) heeds(ctx context.Context, node *corev1.Node) error {
	if node.DeletionTimestamp.IsZero() {
		return nil
	}
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: node.Labels["volume"]}, volume); err != nil { // want unreachable "node keeps its finalizer if its PersistentVolume is gone: this lookup fails before line 44 removes it; handle deletion first or ignore NotFound" @44 "the finalizer is removed here"
		return err
	}
	if controllerutil.RemoveFinalizer(volume, shared) {
		if err := r.Update(ctx, volume); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	controllerutil.RemoveFinalizer(node, "example.com/kept") // ok
	return r.Update(ctx, node)
}

// unless lets go of a quota that is being deleted, or that says nothing, before it lets go of the other one.
func (r *reconciler) unless(ctx context.Context, quota *corev1.ResourceQuota) error {
	live := quota.DeletionTimestamp.IsZero() && len(quota.Spec.Hard) > 0
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: quota.Labels["volume"]}, volume); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !live {
		if controllerutil.RemoveFinalizer(quota, shared) {
			if err := r.Update(ctx, quota); err != nil {
				return err
			}
		}
		if controllerutil.RemoveFinalizer(volume, shared) {
			if err := r.Update(ctx, volume); err != nil { // want writeafterremoval "quota may be gone when Update runs: line 57 removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last" @57 "the finalizer is removed here"
				return err
			}
		}
	}
	return nil
}

// inOrder lets go of it behind that.
func (r *reconciler) inOrder(ctx context.Context, limits *corev1.LimitRange) error {
	live := limits.DeletionTimestamp.IsZero() && len(limits.Spec.Limits) > 0
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: limits.Labels["volume"]}, volume); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !live {
		if controllerutil.RemoveFinalizer(volume, shared) {
			if err := r.Update(ctx, volume); err != nil {
				return err
			}
		}
		if controllerutil.RemoveFinalizer(limits, shared) {
			if err := r.Update(ctx, limits); err != nil { // ok
				return err
			}
		}
	}
	return nil
}

type pairOf struct {
	account *corev1.ServiceAccount
}

// present asks whether the first one is there, and not whether it is being deleted.
func (r *reconciler) present(ctx context.Context, of pairOf, name string) error {
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: name}, volume); err != nil {
		return client.IgnoreNotFound(err)
	}
	if of.account != nil {
		controllerutil.RemoveFinalizer(of.account, shared)
		if err := r.Update(ctx, of.account); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(volume, shared)
	return r.Update(ctx, volume) // ok
}
