package lost

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Good stores all of it.
type Good struct{ client.Client }

// Scale sends the object.
func (r Good) Scale(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Spec.Replicas = &size
	return r.Update(ctx, found)
}

// Observe sends the status.
func (r Good) Observe(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	return r.Status().Update(ctx, found)
}

// Guard sets the status last.
func (r Good) Guard(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	if controllerutil.AddFinalizer(found, "example.com/cleanup") {
		if err := r.Update(ctx, found); err != nil {
			return err
		}
	}
	found.Status.Replicas = size
	return r.Status().Update(ctx, found)
}

// Remove returns where there is none.
func (r Good) Remove(ctx context.Context, key client.ObjectKey) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	return r.Patch(ctx, found, client.Merge)
}

// Apply sends what was read.
func (r Good) Apply(ctx context.Context, key client.ObjectKey, size int32) error {
	wanted := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace}}
	wanted.Spec.Replicas = &size
	existing := &appsv1.Deployment{}
	if err := r.Get(ctx, key, existing); err != nil {
		return err
	}
	existing.Spec.Replicas = wanted.Spec.Replicas
	return r.Update(ctx, existing)
}

// Announce adds the finalizer last.
func (r Good) Announce(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	if err := r.Status().Update(ctx, found); err != nil {
		return err
	}
	if controllerutil.AddFinalizer(found, "example.com/cleanup") {
		return r.Update(ctx, found)
	}
	return nil
}

// Protect reads the object for each try.
func (r Good) Protect(ctx context.Context, found *appsv1.Deployment) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.Get(ctx, client.ObjectKeyFromObject(found), found); err != nil {
			return err
		}
		controllerutil.AddFinalizer(found, "example.com/cleanup")
		return r.Update(ctx, found)
	})
}
