// Package lib has helpers that change an object's finalizers and write it.
package lib

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TryRemoveFinalizer takes finalizers off the object as it is now.
func TryRemoveFinalizer(ctx context.Context, c client.Client, obj client.Object, finalizers ...string) error {
	key := client.ObjectKeyFromObject(obj)
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := c.Get(ctx, key, obj); err != nil {
			if apierrors.IsNotFound(err) {
				return nil
			}
			return err
		}
		original := obj.DeepCopyObject().(client.Object)
		previous := sets.New(obj.GetFinalizers()...)
		RemoveFinalizer(obj, finalizers...)
		current := sets.New(obj.GetFinalizers()...)
		if previous.Equal(current) {
			return nil
		}
		return c.Patch(ctx, obj, client.MergeFromWithOptions(original, client.MergeFromWithOptimisticLock{}))
	})
	if err != nil {
		return fmt.Errorf("failed to remove finalizers %v from %s: %w", finalizers, key, err)
	}
	return nil
}

// RemoveFinalizer takes finalizers off the object in memory.
func RemoveFinalizer(obj metav1.Object, toRemove ...string) {
	set := sets.New(obj.GetFinalizers()...)
	set.Delete(toRemove...)
	obj.SetFinalizers(sets.List(set))
}

// HasFinalizer reports whether the object has one of the finalizers.
func HasFinalizer(obj metav1.Object, names ...string) bool {
	return sets.New(obj.GetFinalizers()...).HasAny(names...)
}

// Keeper holds objects by one finalizer.
type Keeper struct {
	client client.Client
	name   string
}

// NewKeeper gives one.
func NewKeeper(c client.Client, name string) *Keeper { return &Keeper{c, name} }

// AddFinalizer holds the object, in memory and at the API server.
func (k *Keeper) AddFinalizer(ctx context.Context, obj client.Object) (bool, error) {
	if !obj.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	controllerutil.AddFinalizer(obj, k.name)
	return true, k.put(ctx, client.ObjectKeyFromObject(obj), obj, obj.GetFinalizers())
}

// put writes the finalizers on the object as it is now.
func (k *Keeper) put(ctx context.Context, key client.ObjectKey, like client.Object, finalizers []string) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		fresh := &unstructured.Unstructured{}
		fresh.SetGroupVersionKind(like.GetObjectKind().GroupVersionKind())
		if err := k.client.Get(ctx, key, fresh); err != nil {
			return err
		}
		fresh.SetFinalizers(finalizers)
		return k.client.Update(ctx, fresh)
	})
}

// MarkFinalizer holds the object in memory, and counts what holds it.
func (k *Keeper) MarkFinalizer(_ context.Context, obj client.Object) (bool, error) {
	controllerutil.AddFinalizer(obj, k.name)
	return count(obj.GetFinalizers()) > 0, nil
}

func count(finalizers []string) int { return len(finalizers) }
