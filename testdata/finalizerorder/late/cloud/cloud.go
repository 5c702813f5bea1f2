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

// A Session has machines made for somebody.
type Session struct {
	*Service
	name string
}

// CreateSession begins one.
func (s *Service) CreateSession(ctx context.Context, name string) (*Session, error) {
	return &Session{s, name}, ctx.Err()
}

// An Operation is under way.
type Operation struct{}

// Wait waits for it.
func (o *Operation) Wait(ctx context.Context) error { return ctx.Err() }

// CreateDisk begins to make one.
func (s *Service) CreateDisk(ctx context.Context, name string) (*Operation, error) {
	return &Operation{}, ctx.Err()
}

// CreateWatchers has the process look at it.
func (s *Service) CreateWatchers(ctx context.Context, name string) error { return ctx.Err() }
