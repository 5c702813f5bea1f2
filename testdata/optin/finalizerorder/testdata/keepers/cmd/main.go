// The program in which the packages come together.
package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/optin/finalizerorder/testdata/keepers/api"
	"example.com/operators/optin/finalizerorder/testdata/keepers/depots"
	"example.com/operators/optin/finalizerorder/testdata/keepers/needs"
	"example.com/operators/optin/finalizerorder/testdata/keepers/rail"
	"example.com/operators/optin/finalizerorder/testdata/keepers/stations"
	"example.com/operators/optin/finalizerorder/testdata/keepers/yards"
)

func main() {
	ctx := context.Background()
	mover, keeper := &needs.Mover{}, &stations.Keeper{}
	_ = mover.Ferry(ctx, new(api.Ferry))
	_ = mover.Train(ctx, new(api.Train))
	_ = mover.Plane(ctx, new(api.Plane))
	_ = mover.Bus(ctx, new(api.Bus))
	_ = mover.Tram(ctx, new(rail.Tram))
	_ = keeper.Station(ctx, new(api.Station))
	_ = keeper.Airport(ctx, new(api.Airport))
	_ = yards.Yard(ctx, nil, "track", client.ObjectKey{})
	_, _ = new(depots.Webhook).ValidateDelete(ctx, new(api.Depot))
}
