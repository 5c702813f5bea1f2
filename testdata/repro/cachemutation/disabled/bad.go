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
		node.Annotations["example.com/seen"] = "true" // want write "this writes an entry of Annotations of the Node that the cache of c still holds, since the read does not copy: all who read it there see the change, until the server sends another one; change a DeepCopy" @14 "it comes from the cache here, and is not copied"
		seen[node.Name] = true
	}
	return seen, nil
}
