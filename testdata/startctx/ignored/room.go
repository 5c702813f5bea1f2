package ignored

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A round is begun once, and goes on by itself.
type round struct{ turns chan int }

func setupRound(mgr ctrl.Manager) error {
	r := &round{turns: make(chan int, 1)}
	go func() {
		for turn := range r.turns {
			r.turns <- turn + 1
		}
	}()
	return mgr.Add(manager.RunnableFunc(func(context.Context) error {
		r.turns <- 0 // ok: there is room for the first one
		return nil
	}))
}

// A flood is more than there is room for.
type flood struct{ drops chan int }

func setupFlood(mgr ctrl.Manager) error {
	f := &flood{drops: make(chan int, 1)}
	go func() { handle(<-f.drops) }()
	return mgr.Add(manager.RunnableFunc(func(context.Context) error { // want ignored "the RunnableFunc in setupFlood ignores its context, but the send on flood.drops can block forever at line 34: the manager cannot stop it; return when the context is done" @34 "the RunnableFunc in setupFlood blocks here"
		for drop := range 10 {
			f.drops <- drop
		}
		return nil
	}))
}

var _ = []any{setupRound, setupFlood}
