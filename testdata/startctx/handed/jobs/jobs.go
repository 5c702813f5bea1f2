// Package jobs has components that know of no manager.
package jobs

import (
	"context"
	"time"
)

// A Sweeper never looks at its context.
type Sweeper struct{ Sweep func() }

func (s *Sweeper) Start(ctx context.Context) error { // want ignored "(*Sweeper).Start ignores its context, but time.Sleep delays it at line 15: the manager cannot stop it; return when the context is done" @15 "(*Sweeper).Start blocks here" @setup.go:11 "it is handed to the manager here"
	for {
		s.Sweep()
		time.Sleep(time.Minute)
	}
}

// A Ticker ends when it is told to.
type Ticker struct{ Tick func() }

func (t *Ticker) Start(ctx context.Context) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			t.Tick()
		}
	}
}

// A Private is not handed to a manager: who starts it kills it.
type Private struct{ Work func() }

func (p *Private) Start(ctx context.Context) error {
	for {
		p.Work()
		time.Sleep(time.Minute)
	}
}

// A Silenced is known.
type Silenced struct{ Work func() }

//lint:ignore ctrllint/startctx the process is killed
func (p *Silenced) Start(ctx context.Context) error {
	for {
		p.Work()
		time.Sleep(time.Minute)
	}
}
