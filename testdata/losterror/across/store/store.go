// Package store writes objects for others.
package store

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Save returns the error of the request, wrapped.
func Save(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Save:"returns the error of a write"
	if err := c.Update(ctx, pod); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	return nil
}

// Check asks nobody.
func Check(pod *corev1.Pod) error {
	if pod.Name == "" {
		return fmt.Errorf("no name")
	}
	return nil
}
