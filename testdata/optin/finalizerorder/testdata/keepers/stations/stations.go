// Package stations sees to stations and airports.
package stations

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/optin/finalizerorder/testdata/keepers/api"
)

const guard = "example.com/stops"

// Keeper keeps them.
type Keeper struct{ client.Client }

// Station lets one go.
func (k *Keeper) Station(ctx context.Context, station *api.Station) error {
	if station.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(station, guard)
		return k.Update(ctx, station)
	}
	controllerutil.RemoveFinalizer(station, guard)
	return k.Update(ctx, station)
}

// Airport waits for planes.
func (k *Keeper) Airport(ctx context.Context, airport *api.Airport) error {
	if airport.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(airport, guard)
		return k.Update(ctx, airport)
	}
	var planes api.PlaneList
	if err := k.List(ctx, &planes, client.InNamespace(airport.Namespace)); err != nil {
		return err
	}
	if len(planes.Items) > 0 {
		return errors.New("there are planes")
	}
	controllerutil.RemoveFinalizer(airport, guard)
	return k.Update(ctx, airport)
}
