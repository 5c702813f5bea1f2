// Package store writes objects for others.
package store

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Save updates the object.
func Save(ctx context.Context, c client.Client, obj client.Object) error { return c.Update(ctx, obj) }

// Make creates the object.
func Make(ctx context.Context, c client.Client, obj client.Object) error { return c.Create(ctx, obj) }
