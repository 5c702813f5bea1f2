// Package handed gives its key on.
package handed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/expectttl/debts"
)

// A reconciler does so.
type reconciler struct {
	client.Client
	expect *debts.Ledger
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	key := req.NamespacedName.String()
	r.expect.ExpectCreations(key, 1)
	return reconcile.Result{}, r.add(ctx, key)
}

func (r *reconciler) add(ctx context.Context, key string) error {
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil {
		r.expect.CreationObserved(key) // ok: the caller's key
	}
	return err
}
