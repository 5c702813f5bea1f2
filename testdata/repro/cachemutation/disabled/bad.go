// Package disabled reads without the copies that controller-runtime makes.
package disabled

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Bad counts the reads on the nodes in the cache.
func Bad(ctx context.Context, c client.Reader) (map[string]bool, error) {
	var nodes corev1.NodeList
	if err := c.List(ctx, &nodes, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for i := range nodes.Items {
		node := &nodes.Items[i]
		node.Annotations["example.com/seen"] = "true" // want write "mutates an entry of Annotations of the Node that c read with UnsafeDisableDeepCopy: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy or drop the option" @14 "read from the cache here, without a copy"
		seen[node.Name] = true
	}
	return seen, nil
}
