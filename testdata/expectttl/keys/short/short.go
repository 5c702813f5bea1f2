// Package short takes expectations back under a name alone.
package short

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
		r.expect.LowerExpectations(req.Name, 1, 1) // want notlowered "LowerExpectations is given a name alone, and expectations are raised with namespace and name (line 30): nothing is expected under this key, and what is expected under the other one stays" @30 "raised here"
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	key := req.NamespacedName.String()
	if !r.expect.SatisfiedExpectations(key) {
		return reconcile.Result{RequeueAfter: 1}, nil
	}
	r.expect.ExpectCreations(key, 1)
	return reconcile.Result{}, r.add(ctx, parent)
}

func (r *reconciler) add(ctx context.Context, parent *corev1.ConfigMap) error {
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil {
		r.expect.CreationObserved(parent.Name) // want notlowered "CreationObserved is given a name alone, and expectations are raised with namespace and name (line 30): nothing is expected under this key, and what is expected under the other one stays" @30 "raised here"
	}
	return err
}
