package adding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A keeper has its finalizer on config maps that live, and on no others.
type keeper struct{ client.Client }

func leaving(cm *corev1.ConfigMap) bool { return !cm.DeletionTimestamp.IsZero() }

func (k *keeper) settle(ctx context.Context, cm *corev1.ConfigMap) error {
	names := sets.New(cm.Finalizers...)
	if leaving(cm) {
		names.Delete("example.com/keep")
	} else {
		names.Insert("example.com/keep")
	}
	if names.Len() == len(cm.Finalizers) {
		return nil
	}
	cm.Finalizers = sets.List(names) // ok: what is done to it was decided above
	return k.Update(ctx, cm)
}

var _ = (*keeper).settle
