// Package zero goes on with objects that were not found.
package zero

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct{ client.Client }

// The variable is never nil.
func (r *reconciler) finalize(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	err := r.Get(ctx, key, secret)
	if err != nil && apierrors.IsNotFound(err) {
		println("not found")
	} else if err != nil {
		return err
	}
	if secret != nil {
		return r.Delete(ctx, secret) // want zeroobject "secret is empty if Get (line 17) has found nothing: Delete is refused for want of a name; return before" @17 "it is read here" @18 "it goes on where it was not found"
	}
	return nil
}

// Only the other errors end the function.
func (r *reconciler) label(ctx context.Context, key client.ObjectKey) error {
	var pod corev1.Pod
	if err := r.Get(ctx, key, &pod); client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.Status().Update(ctx, &pod) // want zeroobject "pod is empty if Get (line 32) has found nothing: Status().Update is refused for want of a name; return before" @32 "it is read here" @32 "it goes on where it was not found"
}

// A variable is set, and has no effect here.
func (r *reconciler) publish(ctx context.Context, key client.ObjectKey) error {
	service := &corev1.Service{}
	found := true
	if err := r.Get(ctx, key, service); err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		found = false
	}
	if !found {
		println("not found")
	}
	return r.Update(ctx, service) // want zeroobject "service is empty if Get (line 42) has found nothing: Update is refused for want of a name; return before" @42 "it is read here" @43 "it goes on where it was not found"
}

// Good: it is done.
func (r *reconciler) finalized(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); err != nil {
		return client.IgnoreNotFound(err)
	}
	return r.Delete(ctx, secret)
}

// Near miss: the variable says that it was found.
func (r *reconciler) deleted(ctx context.Context, key client.ObjectKey) error {
	service := &corev1.Service{}
	found := true
	if err := r.Get(ctx, key, service); err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		found = false
	}
	if found {
		return r.Delete(ctx, service)
	}
	return nil
}

// Near miss: the object has a name before it is read.
func (r *reconciler) named(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	secret.Name, secret.Namespace = key.Name, key.Namespace
	if err := r.Get(ctx, key, secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	return client.IgnoreNotFound(r.Delete(ctx, secret))
}

// Near miss: it is filled and created where it was not found.
func (r *reconciler) ensured(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); apierrors.IsNotFound(err) {
		secret.Name, secret.Namespace = key.Name, key.Namespace
		if err := r.Create(ctx, secret); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	secret.Data = map[string][]byte{"key": nil}
	return r.Update(ctx, secret)
}

// Near miss: the name says whether there is one.
func (r *reconciler) ifNamed(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	if secret.Name == "" {
		return nil
	}
	return r.Delete(ctx, secret)
}

// Near miss: nor has one without a resource version been read.
func (r *reconciler) ifRead(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	if len(secret.GetResourceVersion()) > 0 {
		return r.Delete(ctx, secret)
	}
	return nil
}

// Near miss: the zero object is not the one that holds this value.
func (r *reconciler) ifOurs(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	if secret.Labels["app"] != "ours" {
		return nil
	}
	return r.Delete(ctx, secret)
}

// Near miss: nobody minds that it fails.
func (r *reconciler) tried(ctx context.Context, key client.ObjectKey) error {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, key, secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	if err := r.Delete(ctx, secret); err == nil {
		println("deleted")
	}
	return nil
}
