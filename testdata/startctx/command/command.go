// Package command runs elections for commands, which end the process when they come back.
package command

import (
	"context"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
)

// A Miller works as long as nobody tells him to stop.
type Miller interface {
	Run(ctx context.Context) error
}

// NewMill makes a command that comes back with the election.
func NewMill(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) *cobra.Command {
	return &cobra.Command{
		Use: "mill",
		RunE: func(*cobra.Command, []string) error {
			return grind(ctx, config, m)
		},
	}
}

func grind(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = m.Run(ctx) // ok: the process ends with the lease
		},
		OnStoppedLeading: func() { klog.Info("no leader any more") },
	}
	leaderelection.RunOrDie(context.Background(), config)
	return nil
}

// NewStore makes a command that waits for more than the election.
func NewStore(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) *cobra.Command {
	return &cobra.Command{
		Use: "store",
		Run: func(*cobra.Command, []string) {
			keep(ctx, config, m)
			<-ctx.Done()
		},
	}
}

func keep(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = m.Run(ctx) // want unmanaged "OnStartedLeading runs m.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @52 "this one ends with the lease"
		},
		OnStoppedLeading: func() { klog.Info("no leader any more") },
	}
	leaderelection.RunOrDie(context.Background(), config)
}

// NewBarn makes a command that has deferred a wait for what else it has started.
func NewBarn(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller, all *sync.WaitGroup) *cobra.Command {
	return &cobra.Command{
		Use: "barn",
		RunE: func(*cobra.Command, []string) error {
			return fill(ctx, config, m, all)
		},
	}
}

func fill(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller, all *sync.WaitGroup) error {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = m.Run(ctx) // want unmanaged "OnStartedLeading runs m.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @72 "this one ends with the lease"
		},
		OnStoppedLeading: func() { klog.Info("no leader any more") },
	}
	defer all.Wait()
	leaderelection.RunOrDie(context.Background(), config)
	return nil
}

// NewRick makes a command that runs the election in a goroutine, beside other work.
func NewRick(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) *cobra.Command {
	return &cobra.Command{
		Use: "rick",
		RunE: func(*cobra.Command, []string) error {
			go stack(ctx, config, m)
			return m.Run(ctx)
		},
	}
}

func stack(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = m.Run(ctx) // want unmanaged "OnStartedLeading runs m.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @95 "this one ends with the lease"
		},
		OnStoppedLeading: func() { klog.Info("no leader any more") },
	}
	leaderelection.RunOrDie(context.Background(), config)
}

// NewDrier makes a command that stands for the lease again.
func NewDrier(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller, turns int) *cobra.Command {
	return &cobra.Command{
		Use: "drier",
		Run: func(*cobra.Command, []string) {
			for range turns {
				dry(ctx, config, m)
			}
		},
	}
}

func dry(ctx context.Context, config leaderelection.LeaderElectionConfig, m Miller) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = m.Run(ctx) // want unmanaged "OnStartedLeading runs m.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @117 "this one ends with the lease"
		},
		OnStoppedLeading: func() { klog.Info("no leader any more") },
	}
	leaderelection.RunOrDie(context.Background(), config)
}
