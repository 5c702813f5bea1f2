// Package scope holds a machine for the time of one reconcile.
package scope

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const MachineFinalizer = "metal.forgeyard.io/machine"

type MetalMachine struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		ProviderID string
		Plan       string
	}
	Status struct{ Ready bool }
}

func (m *MetalMachine) DeepCopy() *MetalMachine {
	out := *m
	out.ObjectMeta = *m.ObjectMeta.DeepCopy()
	return &out
}

func (m *MetalMachine) DeepCopyObject() runtime.Object { return m.DeepCopy() }

type MachineScope struct {
	Machine *MetalMachine

	client client.Client
	base   *MetalMachine
}

func New(c client.Client, m *MetalMachine) *MachineScope {
	return &MachineScope{Machine: m, client: c, base: m.DeepCopy()}
}

// Patch writes what has changed since the last time.
func (s *MachineScope) Patch(ctx context.Context) error {
	ready := s.Machine.Status.Ready
	if err := s.client.Patch(ctx, s.Machine, client.MergeFrom(s.base)); err != nil {
		return err
	}
	if ready != s.Machine.Status.Ready && s.Machine.DeletionTimestamp.IsZero() {
		before := s.Machine.DeepCopy()
		s.Machine.Status.Ready = ready
		if err := s.client.Status().Patch(ctx, s.Machine, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	s.base = s.Machine.DeepCopy()
	return nil
}

// Close is for a deferred call.
func (s *MachineScope) Close(ctx context.Context) error {
	return client.IgnoreNotFound(s.Patch(ctx))
}
