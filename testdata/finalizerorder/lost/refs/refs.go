// Package refs looks up what objects refer to.
package refs

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Node gives the node of that name, and fails where there is none.
func Node(ctx context.Context, c client.Client, name string) (*corev1.Node, error) { // want Node:"fails without its Node p2"
	var node corev1.Node
	if err := c.Get(ctx, client.ObjectKey{Name: name}, &node); err != nil {
		return nil, fmt.Errorf("node %s: %w", name, err)
	}
	return &node, nil
}

// NodeIfAny gives nil where there is none.
func NodeIfAny(ctx context.Context, c client.Client, name string) (*corev1.Node, error) {
	var node corev1.Node
	if err := c.Get(ctx, client.ObjectKey{Name: name}, &node); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return &node, nil
}

// Known gives an empty one where there is none.
func Known(ctx context.Context, c client.Client, name string) (*corev1.Node, error) {
	var node corev1.Node
	if err := c.Get(ctx, client.ObjectKey{Name: name}, &node); err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	return &node, nil
}

// Address asks for a node, and for what says where it is; either has to be there.
func Address(ctx context.Context, c client.Client, name string) (string, error) { // want Address:"fails without its Node p2; fails without its ConfigMap"
	node, err := Node(ctx, c, name)
	if err != nil {
		return "", err
	}
	var addresses corev1.ConfigMap
	if err := c.Get(ctx, client.ObjectKey{Name: "addresses", Namespace: node.Labels["namespace"]}, &addresses); err != nil {
		return "", err
	}
	return addresses.Data[name], nil
}
