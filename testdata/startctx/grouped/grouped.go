// Package grouped runs things in error groups.
package grouped

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type daemon struct {
	mgr  manager.Manager
	jobs chan string
}

var errFull = errors.New("full")

// Both gives the manager the context of the caller.
func (d *daemon) Both(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.work(groupCtx) })
	g.Go(func() error { return d.mgr.Start(ctx) }) // want replaced "this goes on until ctx ends, and not with its group: where another member of it fails (line 23), the context that errgroup.WithContext has given ends, and (*daemon).Both waits for this one nevertheless; use that context here" @22 "the group is made here" @23 "this member may fail"
	return g.Wait()
}

// Loops has a loop of its own that goes on, and one that waits.
func (d *daemon) Loops(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.work(groupCtx) })
	g.Go(func() error {
		d.tick(ctx) // want replaced "this goes on until ctx ends, and not with its group: where another member of it fails (line 31), the context that errgroup.WithContext has given ends, and (*daemon).Loops waits for this one nevertheless; use that context here" @30 "the group is made here" @31 "this member may fail"
		return nil
	})
	g.Go(func() error {
		<-ctx.Done() // want replaced "this goes on until ctx ends, and not with its group: where another member of it fails (line 31), the context that errgroup.WithContext has given ends, and (*daemon).Loops waits for this one nevertheless; use that context here" @30 "the group is made here" @31 "this member may fail"
		return nil
	})
	return g.Wait()
}

// Right gives all the context of the group.
func (d *daemon) Right(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.work(groupCtx) })
	g.Go(func() error { return d.mgr.Start(groupCtx) }) // ok
	return g.Wait()
}

// Alone has nobody else who fails.
func (d *daemon) Alone(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error {
		d.tick(groupCtx)
		return nil
	})
	g.Go(func() error { return d.mgr.Start(ctx) }) // ok: no other one gives an error
	return g.Wait()
}

// Ends looks at the context of the group as well.
func (d *daemon) Ends(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.work(groupCtx) })
	g.Go(func() error {
		own, cancel := context.WithCancel(ctx)
		context.AfterFunc(groupCtx, cancel)
		return d.mgr.Start(own) // ok: it ends with the group, too
	})
	return g.Wait()
}

// Short has a member that is soon done.
func (d *daemon) Short(ctx context.Context) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.work(groupCtx) })
	g.Go(func() error { return d.fill(ctx) }) // ok: it does not wait for the end
	return g.Wait()
}

func (d *daemon) work(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-d.jobs:
		return errFull
	}
}

func (d *daemon) tick(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

func (d *daemon) fill(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case d.jobs <- "":
	}
	return ctx.Err()
}
