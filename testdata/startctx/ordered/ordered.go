// Package ordered has a runnable that comes to a wait by a short way and by a long one. A search that marks what it has
// seen and gives up at some depth finds the wait only when it takes the short way first.
package ordered

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

var _ manager.Runnable = (*shipper)(nil)

type mode int

const (
	direct mode = iota
	detour
)

type shipper struct {
	mode    mode
	parcels chan string
}

// Start ignores its context on both ways.
func (s *shipper) Start(context.Context) error { // want ignored "(*shipper).Start ignores its context, and the receive from s.parcels can block forever at line 41 (in (*shipper).next): nothing ends it when the manager stops" @41 "here (*shipper).Start waits"
	switch s.mode {
	case direct:
		s.load()
	case detour:
		s.route()
	}
	return nil
}

func (s *shipper) route()  { s.hub() }
func (s *shipper) hub()    { s.branch() }
func (s *shipper) branch() { s.yard() }
func (s *shipper) yard()   { s.load() }
func (s *shipper) load()   { s.next() }
func (s *shipper) next()   { <-s.parcels }
