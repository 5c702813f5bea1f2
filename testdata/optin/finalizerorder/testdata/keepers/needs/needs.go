// Package needs has the controllers of what needs others.
package needs

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/optin/finalizerorder/testdata/keepers/api"
	"example.com/operators/optin/finalizerorder/testdata/keepers/rail"
)

const guard = "example.com/moves"

// Mover sees to what moves.
type Mover struct {
	client.Client
	Remote interface {
		Stop(ctx context.Context, at, name string) error
	}
}

// Ferry needs a pier, to which nobody sees.
func (m *Mover) Ferry(ctx context.Context, ferry *api.Ferry) error {
	var at api.Pier
	if err := m.Get(ctx, client.ObjectKey{Namespace: ferry.Namespace, Name: ferry.Spec.Needs}, &at); err != nil { // want unreachable "ferry keeps its finalizer if its Pier is gone: this lookup fails before line 37 removes it; handle deletion first or ignore NotFound" @37 "the finalizer is removed here"
		return err
	}
	if ferry.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(ferry, guard)
		return m.Update(ctx, ferry)
	}
	if err := m.Remote.Stop(ctx, at.Name, ferry.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(ferry, guard)
	return m.Update(ctx, ferry)
}

// Train needs a station, which goes all the same.
func (m *Mover) Train(ctx context.Context, train *api.Train) error {
	var at api.Station
	if err := m.Get(ctx, client.ObjectKey{Namespace: train.Namespace, Name: train.Spec.Needs}, &at); err != nil { // want unreachable "train keeps its finalizer if its Station is gone: this lookup fails before line 54 removes it; handle deletion first or ignore NotFound" @54 "the finalizer is removed here"
		return err
	}
	if train.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(train, guard)
		return m.Update(ctx, train)
	}
	if err := m.Remote.Stop(ctx, at.Name, train.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(train, guard)
	return m.Update(ctx, train)
}

// Plane needs an airport, which waits for it.
func (m *Mover) Plane(ctx context.Context, plane *api.Plane) error {
	var at api.Airport
	if err := m.Get(ctx, client.ObjectKey{Namespace: plane.Namespace, Name: plane.Spec.Needs}, &at); err != nil {
		return err
	}
	if plane.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(plane, guard)
		return m.Update(ctx, plane)
	}
	if err := m.Remote.Stop(ctx, at.Name, plane.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(plane, guard)
	return m.Update(ctx, plane)
}

// Bus needs a depot, which a webhook keeps.
func (m *Mover) Bus(ctx context.Context, bus *api.Bus) error {
	var at api.Depot
	if err := m.Get(ctx, client.ObjectKey{Namespace: bus.Namespace, Name: bus.Spec.Needs}, &at); err != nil {
		return err
	}
	if bus.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(bus, guard)
		return m.Update(ctx, bus)
	}
	if err := m.Remote.Stop(ctx, at.Name, bus.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(bus, guard)
	return m.Update(ctx, bus)
}

// Tram needs a track, to which somebody sees whom nobody knows.
func (m *Mover) Tram(ctx context.Context, tram *rail.Tram) error {
	var at rail.Track
	if err := m.Get(ctx, client.ObjectKey{Namespace: tram.Namespace, Name: tram.Spec.Needs}, &at); err != nil {
		return err
	}
	if tram.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(tram, guard)
		return m.Update(ctx, tram)
	}
	if err := m.Remote.Stop(ctx, at.Name, tram.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(tram, guard)
	return m.Update(ctx, tram)
}
