package bad

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// isDeletionProtected reads a label: its name says more than it asks.
func isDeletionProtected(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Labels["protected"] == "true"
}

// unprotect asks nowhere whether the claim is being deleted.
func unprotect(ctx context.Context, c client.Client, claim *corev1.PersistentVolumeClaim) error {
	if isDeletionProtected(claim) {
		claim.Finalizers = nil
		if err := c.Update(ctx, claim); err != nil { // want removedbeforedelete "claim loses all its finalizers before it is deleted (line 23): one added in between makes the deletion hang; delete first" @23 "the object is deleted here"
			return err
		}
	}
	return c.Delete(ctx, claim)
}

var _ = unprotect
