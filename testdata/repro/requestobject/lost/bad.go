// Package lost has requests that do not store what was written.
package lost

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	return r.Status().Update(ctx, found) // want emptyrequest "Status().Update sends the status only: spec.replicas (line 23) is never stored; use Update" @23 "spec.replicas is written here"
}

// Observe is emptyrequest, the other way round.
func (r Bad) Observe(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	return r.Update(ctx, found) // want emptyrequest "Update does not send the status: status.replicas (line 33) is never stored; use Status().Update" @33 "status.replicas is written here"
}

// Guard is overwritten.
func (r Bad) Guard(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Status.Replicas = size
	if controllerutil.AddFinalizer(found, "example.com/cleanup") {
		if err := r.Update(ctx, found); err != nil { // want overwritten "the answer of Update may replace status.replicas (line 43), which is sent afterwards (line 49); set it again, or pass a DeepCopy" @43 "status.replicas is written here" @49 "it is sent here"
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
	return r.Patch(ctx, found, client.Merge) // want zeroobject "found is empty if Get (line 55) has found nothing: Patch is refused for want of a name; return before" @55 "it is read here" @55 "it goes on where it was not found"
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
	return r.Update(ctx, wanted) // want wrongobject "the changes are in existing (line 69), and wanted is sent, which has no resource version and so may overwrite all of it; send existing" @69 "this is never sent"
}
