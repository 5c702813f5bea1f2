// Package store wraps the client, so that all writes are counted and named.
package store

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Store writes objects.
type Store interface {
	SaveStatus(ctx context.Context, obj, before client.Object) error
	SaveMeta(ctx context.Context, obj, before client.Object) error
}

type store struct {
	client client.Client
	writes func(kind string)
}

func New(c client.Client, writes func(kind string)) Store {
	return &store{client: c, writes: writes}
}

func (s *store) SaveStatus(ctx context.Context, obj, before client.Object) error {
	s.writes("status")
	if err := s.client.Status().Patch(ctx, obj, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("status of %s: %w", obj.GetName(), err)
	}
	return nil
}

func (s *store) SaveMeta(ctx context.Context, obj, before client.Object) error {
	s.writes("meta")
	p := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := s.client.Patch(ctx, obj, p); err != nil {
		return fmt.Errorf("metadata of %s: %w", obj.GetName(), err)
	}
	return nil
}
