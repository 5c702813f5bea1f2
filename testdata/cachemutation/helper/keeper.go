package helper

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

// A Keeper has methods with the shape of a client's.
type Keeper struct{ Names []string }

// Apply keeps the name of the node.
func (k *Keeper) Apply(_ context.Context, node *corev1.Node) error {
	k.Names = append(k.Names, node.Name)
	return nil
}

// Update marks the node.
func (k *Keeper) Update(_ context.Context, node *corev1.Node) error {
	node.Labels["kept"] = "yes"
	return nil
}
