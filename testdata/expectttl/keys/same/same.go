// Package same spells one key in two ways.
package same

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
	parent := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, parent); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	r.expect.ExpectCreations(req.String(), 1)
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil {
		r.expect.CreationObserved(parent.Namespace + "/" + parent.Name) // ok: that is the same
	}
	return reconcile.Result{}, err
}
