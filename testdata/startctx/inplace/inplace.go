// Package inplace runs an election where its caller hears of the end of it, and where nobody does.
package inplace

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/tools/leaderelection"
)

var errLost = errors.New("the lease is lost")

// A Gardener works as long as nobody tells her to stop.
type Gardener interface{ Run(ctx context.Context) }

// inPlace says that something is wrong whenever the election is over: then the process ends.
func inPlace(ctx context.Context, config leaderelection.LeaderElectionConfig, g Gardener) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			g.Run(ctx) // ok: the caller is told of the end
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
	return errLost
}

// inPlaceWrapped makes the error on the spot.
func inPlaceWrapped(ctx context.Context, config leaderelection.LeaderElectionConfig, g Gardener) error {
	if config.Name == "" {
		return nil // before the election
	}
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			g.Run(ctx) // ok: as above
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
	return fmt.Errorf("%s: %w", config.Name, errLost)
}

// quietly says that all is well.
func quietly(ctx context.Context, config leaderelection.LeaderElectionConfig, g Gardener) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			g.Run(ctx) // want unmanaged "OnStartedLeading runs g.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @47 "this one ends with the lease"
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
	return nil
}

// apart has the election run beside it, and hears nothing of its end.
func apart(ctx context.Context, config leaderelection.LeaderElectionConfig, g Gardener) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			g.Run(ctx) // want unmanaged "OnStartedLeading runs g.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @59 "this one ends with the lease"
		},
		OnStoppedLeading: func() {},
	}
	go leaderelection.RunOrDie(ctx, config)
	<-ctx.Done()
	return ctx.Err()
}

// apartToo fails when its context ends, which the end of the lease does not bring about.
func apartToo(ctx context.Context, config leaderelection.LeaderElectionConfig, g Gardener) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			g.Run(ctx) // want unmanaged "OnStartedLeading runs g.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @72 "this one ends with the lease"
		},
		OnStoppedLeading: func() {},
	}
	go func() {
		leaderelection.RunOrDie(ctx, config)
	}()
	<-ctx.Done()
	return errors.New("stopped")
}

var _ = []any{inPlace, inPlaceWrapped, quietly, apart, apartToo}
