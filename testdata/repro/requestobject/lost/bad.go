// Package lost has requests that do not store what was written.
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

// Bad stores nothing, or fails.
type Bad struct{ client.Client }

// Scale is emptyrequest.
func (r Bad) Scale(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Spec.Replicas = &size
	return r.Status().Update(ctx, found) // want emptyrequest "Status().Update sends the status only: spec.replicas (line 24) is never stored; use Update" @24 "spec.replicas is written here"
}

// Observe is emptyrequest, the other way round.
func (r Bad) Observe(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	return r.Update(ctx, found) // want emptyrequest "Update does not send the status: status.replicas (line 34) is never stored; use Status().Update" @34 "status.replicas is written here"
}

// Guard is overwritten.
func (r Bad) Guard(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	if controllerutil.AddFinalizer(found, "example.com/cleanup") {
		if err := r.Update(ctx, found); err != nil { // want overwritten "the answer of Update may replace status.replicas (line 44), which is sent afterwards (line 50); set it again, or pass a DeepCopy" @44 "status.replicas is written here" @50 "it is sent here"
			return err
		}
	}
	return r.Status().Update(ctx, found)
}

// Remove is zeroobject.
func (r Bad) Remove(ctx context.Context, key client.ObjectKey) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return r.Patch(ctx, found, client.Merge) // want zeroobject "found is empty if Get (line 56) has found nothing: Patch is refused for want of a name; return before" @56 "it is read here" @56 "it goes on where it was not found"
}

// Apply is wrongobject.
func (r Bad) Apply(ctx context.Context, key client.ObjectKey, size int32) error {
	wanted := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace}}
	wanted.Spec.Replicas = &size
	existing := &appsv1.Deployment{}
	if err := r.Get(ctx, key, existing); err != nil {
		return err
	}
	existing.Spec.Replicas = wanted.Spec.Replicas
	return r.Update(ctx, wanted) // want wrongobject "the changes are in existing (line 70), and wanted is sent, which has no resource version and so may overwrite all of it; send existing" @70 "this is never sent"
}

// Announce is overwritten, in the metadata.
func (r Bad) Announce(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	added := controllerutil.AddFinalizer(found, "example.com/cleanup")
	found.Status.Replicas = size
	if err := r.Status().Update(ctx, found); err != nil { // want overwritten "the answer of Status().Update may replace metadata.finalizers (line 80), which is sent afterwards (line 86); set it again, or pass a DeepCopy" @80 "metadata.finalizers is written here" @86 "it is sent here"
		return err
	}
	if added {
		return r.Update(ctx, found)
	}
	return nil
}

// Protect is samecopy.
func (r Bad) Protect(ctx context.Context, found *appsv1.Deployment) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		controllerutil.AddFinalizer(found, "example.com/cleanup")
		return r.Update(ctx, found) // want samecopy "found is not read again in the function that RetryOnConflict runs: each try has the same conflict; Get it there first" @93 "the function is run again after a conflict"
	})
}
