// Package long raises expectations under a name alone.
package long

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/debts"
)

// A reconciler does so.
type reconciler struct {
	client.Client
	expect *debts.Ledger
}

func (r *reconciler) add(ctx context.Context, parent *corev1.ConfigMap) error {
	r.expect.ExpectCreations(parent.GetName(), 1)
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil {
		r.expect.CreationObserved(fmt.Sprintf("%s/%s", parent.Namespace, parent.Name)) // want notlowered "CreationObserved is given namespace and name, and expectations are raised with a name alone (line 21): nothing is expected under this key, and what is expected under the other one stays" @21 "raised here"
	}
	return err
}
