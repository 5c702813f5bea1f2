// Package undone looks up what its cleanup deletes.
package undone

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client

	set kubernetes.Interface
}

// found deletes the secret that it looks up. The next try finds none.
func (r *reconciler) found(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Spec.Hostname}, secret); err != nil { // want unreachable `obj keeps its finalizer once its Secret is gone: this looks it up to delete it, and fails then, and nothing comes to line 39, where the finalizer goes; take "not found" for done` @39 "the finalizer goes here"
		return err
	}
	controllerutil.RemoveFinalizer(secret, guard)
	if err := r.Update(ctx, secret); err != nil {
		return err
	}
	if err := r.Delete(ctx, secret); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// apart does so in a function of its own.
func (r *reconciler) apart(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.dropLogin(ctx, obj); err != nil { // want unreachable `obj keeps its finalizer once its Secret is gone: this looks it up to delete it, and fails then, and nothing comes to line 51, where the finalizer goes; take "not found" for done` @51 "the finalizer goes here" @56 "this looks it up to delete it"
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) dropLogin(ctx context.Context, obj *corev1.Pod) error {
	login, err := r.set.CoreV1().Secrets(obj.Namespace).Get(ctx, obj.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	return r.set.CoreV1().Secrets(login.Namespace).Delete(ctx, login.Name, metav1.DeleteOptions{})
}

// fetched asks a helper that fails where there is none.
func (r *reconciler) fetched(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	claim, err := r.claimOf(ctx, obj) // want unreachable `obj keeps its finalizer once its PersistentVolumeClaim is gone: this looks it up to delete it, and fails then, and nothing comes to line 75, where the finalizer goes; take "not found" for done` @75 "the finalizer goes here" @81 "this looks it up to delete it"
	if err != nil {
		return err
	}
	if err := r.Delete(ctx, claim); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

func (r *reconciler) claimOf(ctx context.Context, obj *corev1.Pod) (*corev1.PersistentVolumeClaim, error) {
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Name}, claim); err != nil {
		return nil, err
	}
	return claim, nil
}

// passes takes what is gone for deleted.
func (r *reconciler) passes(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	secret := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Spec.Hostname}, secret)
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if err == nil {
		if err := r.Delete(ctx, secret); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// above takes it for deleted where it is called.
func (r *reconciler) above(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if err := r.dropLogin(ctx, obj); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// reads needs the secret, and deletes another one.
func (r *reconciler) reads(ctx context.Context, obj, other *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Spec.Hostname}, secret); err != nil {
		return err // ok: the cleanup may need it
	}
	if err := r.Delete(ctx, other); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// remembers does so until the status says that it is done.
func (r *reconciler) remembers(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	if obj.Status.Reason != "cleaned" {
		secret := &corev1.Secret{}
		if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Spec.Hostname}, secret); err != nil {
			return err // ok: it comes here once
		}
		if err := r.Delete(ctx, secret); err != nil {
			return err
		}
		obj.Status.Reason = "cleaned"
		if err := r.Status().Update(ctx, obj); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// named deletes another object of the name that it has found.
func (r *reconciler) named(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	login, err := r.set.CoreV1().Secrets(obj.Namespace).Get(ctx, obj.Name, metav1.GetOptions{})
	if err != nil {
		return err // ok: the secret is needed
	}
	if err := r.set.CoreV1().ConfigMaps(obj.Namespace).Delete(ctx, login.Name, metav1.DeleteOptions{}); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}

// either is of two kinds, and stays where there is nothing to delete.
func (r *reconciler) either(ctx context.Context, obj *corev1.Pod) error {
	if obj.DeletionTimestamp == nil {
		return nil
	}
	var proxy client.Object = &corev1.ConfigMap{}
	if obj.Spec.HostNetwork {
		proxy = &corev1.Secret{}
	}
	if err := r.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: obj.Name}, proxy); err != nil { // want unreachable `obj keeps its finalizer once another object is gone: this looks it up to delete it, and fails then, and nothing comes to line 187, where the finalizer goes; take "not found" for done` @187 "the finalizer goes here"
		return client.IgnoreNotFound(err)
	}
	if err := r.Delete(ctx, proxy); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return r.Update(ctx, obj)
}
