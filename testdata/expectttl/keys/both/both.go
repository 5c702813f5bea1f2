// Package both raises expectations under keys of both forms.
package both

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/expectttl/debts"
)

// A reconciler does so.
type reconciler struct {
	client.Client
	expect *debts.Ledger
}

func (r *reconciler) add(ctx context.Context, parent *corev1.ConfigMap, cluster bool) error {
	key := types.NamespacedName{Namespace: parent.Namespace, Name: parent.Name}.String()
	if cluster {
		r.expect.ExpectCreations(parent.Name, 1)
	} else {
		r.expect.ExpectCreations(key, 1)
	}
	err := r.Create(ctx, &corev1.Pod{})
	if err != nil && cluster {
		r.expect.CreationObserved(parent.Name) // ok: it is raised so, too
	} else if err != nil {
		r.expect.CreationObserved(key) // ok: it is raised so, too
	}
	return err
}
