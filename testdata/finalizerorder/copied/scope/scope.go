// Package scope stands for a provider outside of the cluster.
package scope

import "errors"

// A Scope is what machines are made in.
type Scope struct{ endpoint string }

// NewScope makes one.
func NewScope(endpoint string) (*Scope, error) {
	if endpoint == "" {
		return nil, errors.New("no endpoint")
	}
	return &Scope{endpoint}, nil
}

// Create makes a machine.
func (s *Scope) Create(name string) error { return errors.New(s.endpoint + name) }

// Delete takes it away.
func (s *Scope) Delete(name string) error { return errors.New(s.endpoint + name) }
