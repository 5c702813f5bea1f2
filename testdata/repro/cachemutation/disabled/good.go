package disabled

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Good has copies.
func Good(ctx context.Context, c client.Reader) (map[string]bool, error) {
	var nodes corev1.NodeList
	if err := c.List(ctx, &nodes); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for i := range nodes.Items {
		node := &nodes.Items[i]
		node.Annotations["example.com/seen"] = "true"
		seen[node.Name] = true
	}
	return seen, nil
}
