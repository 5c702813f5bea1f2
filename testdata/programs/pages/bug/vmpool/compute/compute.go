// Package compute is a thin layer over the hypervisor API.
package compute

import (
	"context"
	"errors"
)

var ErrNotFound = errors.New("server not found")

// Phases of a server, as the hypervisor names them.
const (
	Running  = "ACTIVE"
	Stopping = "SHUTTING_DOWN"
	Deleting = "DELETING"
	Failed   = "ERROR"
)

// API is what the hypervisor offers.
type API interface {
	GetServer(ctx context.Context, id string) (phase string, err error)
	BootServer(ctx context.Context, flavor, image string) (string, error)
	DestroyServer(ctx context.Context, id string) error
}

// Gone says whether nothing has to be done about the server any more.
func Gone(ctx context.Context, api API, id string) (bool, error) {
	phase, err := api.GetServer(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	switch phase {
	case Stopping, Deleting:
		return true, nil
	default:
		return false, nil
	}
}
