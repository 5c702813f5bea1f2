// Package steps has the steps of another package's reconciler.
package steps

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

// Volumes are the steps for volumes.
type Volumes struct{ Client client.Client }

// Class looks up the class of storage.
func (v *Volumes) Class(ctx context.Context, name string) (string, error) {
	var secret corev1.Secret
	if err := v.Client.Get(ctx, client.ObjectKey{Name: name}, &secret); err != nil {
		return "", fmt.Errorf("secret: %w", err)
	}
	return string(secret.Data["class"]), nil
}

// Finish takes the finalizer off a deleted volume.
func (v *Volumes) Finish(ctx context.Context, obj client.Object) error {
	if obj.GetDeletionTimestamp() == nil {
		return nil
	}
	controllerutil.RemoveFinalizer(obj, guard)
	return v.Client.Update(ctx, obj)
}
