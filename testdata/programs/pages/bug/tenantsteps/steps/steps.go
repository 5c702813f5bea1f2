// Package steps runs the teardown of an object one step after the other.
package steps

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Step is one part of a teardown.
type Step[T client.Object] struct {
	Name string
	Run  func(ctx context.Context, obj T) error
}

// RunAll runs the steps until one fails.
func RunAll[T client.Object](ctx context.Context, obj T, all []Step[T]) error {
	for _, s := range all {
		if err := s.Run(ctx, obj); err != nil {
			return fmt.Errorf("step %s: %w", s.Name, err)
		}
		log.FromContext(ctx).V(1).Info("step done", "step", s.Name)
	}
	return nil
}
