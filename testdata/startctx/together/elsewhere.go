package together

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/operators/startctx/together/given"
	"example.com/operators/startctx/together/parts"
)

func page(ctx context.Context, mgr manager.Manager) error {
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error { return (&parts.Page{Addr: ":8080"}).Serve(ctx) })
	return group.Wait() // want unmanaged "page waits for the manager (line 19) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, (&parts.Page{…}).Serve goes on (Server.ListenAndServe goes on serving at parts.go:20) at line 20, and the process stays without controllers; end both together, as an errgroup WithContext does" @19 "the manager runs here" @20 "this goes on"
}

func polls(ctx context.Context, mgr manager.Manager) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		if err := mgr.Start(ctx); err != nil {
			klog.Error(err)
		}
	}()
	go func() {
		defer wg.Done()
		parts.Poll(ctx, func() { klog.Info("asking") })
	}()
	wg.Wait() // want unmanaged "polls waits for the manager (line 29) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, parts.Poll goes on (Poll goes on at parts.go:24) at line 35, and the process stays without controllers; end both together, as an errgroup WithContext does" @29 "the manager runs here" @35 "this goes on"
}

// ticks has its loop here.
func ticks(ctx context.Context, mgr manager.Manager) error {
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error {
		tick(ctx)
		return nil
	})
	return group.Wait() // want unmanaged "ticks waits for the manager (line 43) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, tick goes on at line 51, and the process stays without controllers; end both together, as an errgroup WithContext does" @43 "the manager runs here" @51 "this goes on"
}

func tick(ctx context.Context) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			klog.Info("a tick")
		}
	}
}

// endsItself has parts that end by themselves.
func endsItself(ctx context.Context, mgr manager.Manager, ask func() bool) error {
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error { return parts.Attempt(ctx, ask) })
	group.Go(func() error {
		parts.Finish(ctx, func() { ask() })
		return nil
	})
	return group.Wait() // ok
}

// soon has a deadline for the other.
func soon(ctx context.Context, mgr manager.Manager) error {
	short, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error {
		parts.Poll(short, func() { klog.Info("asking") })
		return nil
	})
	return group.Wait() // ok: after an hour
}

// closed has a server that somebody else closes.
func closed(ctx context.Context, mgr manager.Manager, c *parts.Closable, server *http.Server) error {
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(c.Show)
	group.Go(func() error { return c.Show() })
	group.Go(func() error { return given.ServeOn(server, func() {}) })
	return group.Wait() // ok: whoever has it may close it
}
