// Package owners finds the owners of objects.
package owners

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Node is the node that owns the object of meta, nil where none does.
func Node(ctx context.Context, c client.Client, meta metav1.ObjectMeta) (*corev1.Node, error) {
	for _, ref := range meta.OwnerReferences {
		if ref.Kind == "Node" {
			node := &corev1.Node{}
			return node, c.Get(ctx, client.ObjectKey{Name: ref.Name}, node)
		}
	}
	return nil, nil
}
