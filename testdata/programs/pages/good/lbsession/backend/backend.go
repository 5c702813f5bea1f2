// Package backend is the client of a load balancer that takes one change at a time.
package backend

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// API is the load balancer's.
type API interface {
	Begin(ctx context.Context) (txn string, err error)
	Set(ctx context.Context, txn, vip string, backends []string) error
	Commit(ctx context.Context, txn string) error
	Abort(ctx context.Context, txn string) error
}

// Backend lets one Session in at a time.
type Backend struct {
	api API

	mu      sync.Mutex
	commits int
}

// New makes a Backend.
func New(api API) *Backend { return &Backend{api: api} }

// Session is a change under way. Whoever has it has the lock of the Backend, until Close.
type Session struct {
	b    *Backend
	txn  string
	done bool
}

// Open begins a change. The lock is held if, and only if, there is no error.
func (b *Backend) Open(ctx context.Context) (*Session, error) {
	b.mu.Lock()
	txn, err := b.api.Begin(ctx)
	if err != nil {
		b.mu.Unlock()
		return nil, fmt.Errorf("begin: %w", err)
	}
	return &Session{b: b, txn: txn}, nil
}

// Set changes one address.
func (s *Session) Set(ctx context.Context, vip string, backends []string) error {
	if s.done {
		return errors.New("session is over")
	}
	return s.b.api.Set(ctx, s.txn, vip, backends)
}

// Commit makes the change visible.
func (s *Session) Commit(ctx context.Context) error {
	if err := s.b.api.Commit(ctx, s.txn); err != nil {
		return fmt.Errorf("commit %s: %w", s.txn, err)
	}
	s.done = true
	s.b.commits++
	return nil
}

// Close gives up what was not committed, and lets the next Session in.
func (s *Session) Close(ctx context.Context) (err error) {
	defer s.b.mu.Unlock()
	if !s.done {
		s.done = true
		err = s.b.api.Abort(ctx, s.txn)
	}
	return err
}
