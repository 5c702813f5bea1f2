// Package unmanaged starts things beside a manager, and as a leader.
package unmanaged

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type syncer struct{ client.Client }

func (s *syncer) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.Create(ctx, &corev1.Pod{}); err != nil {
			return err
		}
	}
	return nil
}

func beside(config *rest.Config, s *syncer, lead bool) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{LeaderElection: lead})
	if err != nil {
		return err
	}
	go func() {
		if err := s.Run(context.Background()); err != nil { // want unmanaged "s.Run runs beside a manager that elects a leader (line 27), with context.Background(): it works on every replica, leader or not, and does not stop when the manager does" @27 "the manager is made here; what is added to it runs on the leader, and stops with it"
			os.Exit(1)
		}
	}()
	ctx := ctrl.SetupSignalHandler()
	go mgr.GetCache().Start(context.Background()) // ok: a cache is for every replica
	return mgr.Start(ctx)
}

func without(config *rest.Config, s *syncer) error {
	mgr, err := ctrl.NewManager(config, ctrl.Options{})
	if err != nil {
		return err
	}
	go s.Run(context.Background()) // ok: this manager elects nobody
	return mgr.Start(ctrl.SetupSignalHandler())
}

func lead(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = s.Run(ctx) // want unmanaged "OnStartedLeading runs s.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @52 "this one ends with the lease"
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
}

func leadOrDie(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = s.Run(ctx) // ok: the process ends with the lease
		},
		OnStoppedLeading: func() { os.Exit(1) },
	}
	leaderelection.RunOrDie(ctx, config)
}

func leadAndCancel(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	ctx, cancel := context.WithCancel(ctx)
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = s.Run(ctx) // ok: cancelled when the lease is lost
		},
		OnStoppedLeading: func() { cancel() },
	}
	leaderelection.RunOrDie(ctx, config)
}

func leadWell(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(ctx context.Context) {
			_ = s.Run(ctx) // ok: its own context
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
}

func leadInTurn(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	turn, cancel := context.WithCancel(ctx)
	defer cancel()
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			go s.Run(ctx) // ok: it gives the lease back itself, so that the next one starts, too
			cancel()
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(turn, config)
}

// A counter counts.
type counter struct{ losses int }

// stopLeading stops nothing, whatever it is called.
func (c *counter) stopLeading() { c.losses++ }

func leadAndCount(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer, c *counter) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			_ = s.Run(ctx) // want unmanaged "OnStartedLeading runs s.Run with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @112 "this one ends with the lease"
		},
		OnStoppedLeading: func() { c.stopLeading() },
	}
	leaderelection.RunOrDie(ctx, config)
}

func (s *syncer) begin(ctx context.Context) {
	go func() { _ = s.Run(ctx) }()
}

func (s *syncer) once(ctx context.Context, out chan int) {
	go func() { out <- 1 }()
}

func leadAndBegin(ctx context.Context, config leaderelection.LeaderElectionConfig, s *syncer) {
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			s.once(ctx, make(chan int, 1)) // ok: that comes to an end
			s.begin(ctx)                   // want unmanaged "OnStartedLeading runs s.begin with ctx and not with its own context, and OnStoppedLeading neither ends the process nor stops it: it goes on when the lease is lost, beside the next leader" @130 "this one ends with the lease"
		},
		OnStoppedLeading: func() {},
	}
	leaderelection.RunOrDie(ctx, config)
}
