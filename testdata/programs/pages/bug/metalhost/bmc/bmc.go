// Package bmc is the client of the provisioning service of the data centre.
package bmc

import "context"

// State of a machine at the service.
type State string

const (
	Available      State = "available"
	Provisioned    State = "provisioned"
	Deprovisioning State = "deprovisioning"
	Wiped          State = "wiped"
	Failed         State = "failed"
)

// InUse says whether a machine still works for somebody.
func (s State) InUse() bool {
	switch s {
	case Deprovisioning, Wiped, Available:
		return false
	}
	return true
}

// Service provisions machines.
type Service interface {
	MachineState(ctx context.Context, serial string) (State, error)
	Provision(ctx context.Context, serial, image string) error
	Deprovision(ctx context.Context, serial string) error
}
