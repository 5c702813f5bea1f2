package good

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// dropJob deletes an object on which nobody in the cluster keeps a finalizer, and nobody here puts one.
func dropJob(ctx context.Context, c client.Client, job *batchv1.Job) error {
	job.Finalizers = nil
	if err := c.Update(ctx, job); err != nil {
		return err
	}
	return c.Delete(ctx, job) // ok: who was to put it back
}

// dropClaim deletes one that the cluster protects.
func dropClaim(ctx context.Context, c client.Client, claim *corev1.PersistentVolumeClaim) error {
	claim.Finalizers = nil
	if err := c.Update(ctx, claim); err != nil { // want removedbeforedelete "claim loses all its finalizers before it is deleted (line 26): one added in between makes the deletion hang; delete first" @26 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, claim)
}

// dropSpace does so with a helper for all kinds.
func dropSpace(ctx context.Context, c client.Client, space *corev1.Namespace) error {
	if err := bare(ctx, c, space); err != nil {
		return err
	}
	return c.Delete(ctx, space) // ok
}

func bare(ctx context.Context, c client.Client, obj client.Object) error {
	obj.SetFinalizers(nil)
	return c.Update(ctx, obj)
}
