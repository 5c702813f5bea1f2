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

// An Operation is under way.
type Operation struct{}

// Wait waits for it.
func (o *Operation) Wait(ctx context.Context) error { return ctx.Err() }

// CreateDisk begins to make one.
func (s *Service) CreateDisk(ctx context.Context, name string) (*Operation, error) {
	return &Operation{}, ctx.Err()
}
