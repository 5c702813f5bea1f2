// Package given is told the key by whoever asks.
package given

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/debts"
)

// A reconciler does so.
type reconciler struct {
	client.Client
	expect *debts.Ledger
}

func (r *reconciler) add(ctx context.Context, key string, parent *corev1.ConfigMap) error {
	r.expect.ExpectCreations(key, 1)
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil {
		r.expect.CreationObserved(parent.Name) // ok: nobody knows what the key is
	}
	return err
}
