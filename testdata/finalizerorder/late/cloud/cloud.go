// Package cloud stands for a provider outside of the cluster.
package cloud

import "context"

// Service makes machines.
type Service struct{ endpoint string }

// New gives a Service.
func New(endpoint string) *Service { return &Service{endpoint} }

// CreateMachine makes one.
func (s *Service) CreateMachine(ctx context.Context, name string) error { return ctx.Err() }

// DescribeMachine reads one.
func (s *Service) DescribeMachine(ctx context.Context, name string) error { return ctx.Err() }
