// Package inrow runs steps.
package inrow

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Step is one of several.
type Step[T client.Object] struct {
	Name string
	Do   func(ctx context.Context, obj T) error
}

// Until runs them until one fails.
func Until[T client.Object](ctx context.Context, obj T, steps []Step[T]) error {
	for _, s := range steps {
		if err := s.Do(ctx, obj); err != nil {
			return err
		}
	}
	return nil
}

// Backwards runs the last one first.
func Backwards[T client.Object](ctx context.Context, obj T, steps []Step[T]) error {
	for i := len(steps) - 1; i >= 0; i-- {
		if err := steps[i].Do(ctx, obj); err != nil {
			return err
		}
	}
	return nil
}

// All runs all of them.
func All[T client.Object](ctx context.Context, obj T, steps []Step[T]) (err error) {
	for _, s := range steps {
		err = errors.Join(err, s.Do(ctx, obj))
	}
	return err
}
