// Package together runs a manager beside other things, and waits for all of them.
package together

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func serves(ctx context.Context, mgr manager.Manager) error {
	var group errgroup.Group
	group.Go(func() error {
		err := mgr.Start(ctx)
		if err != nil {
			klog.Error(err, "manager")
			return fmt.Errorf("manager: %w", err)
		}
		return nil
	})
	group.Go(func() error { return http.ListenAndServe(":8080", nil) })
	return group.Wait() // want unmanaged "serves waits for the manager (line 21) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, http.ListenAndServe goes on serving at line 28, and the process stays without controllers; end both together, as an errgroup WithContext does" @21 "the manager runs here" @28 "this goes on"
}

// the server is shut down when the context of the process ends, and not when the manager does.
func webhook(ctx context.Context, mgr manager.Manager) error {
	group := errgroup.Group{}
	group.Go(func() error { return listen(ctx) })
	group.Go(func() error { return mgr.Start(ctx) })
	return group.Wait() // want unmanaged "webhook waits for the manager (line 36) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, Server.ListenAndServe goes on serving at line 46, and the process stays without controllers; end both together, as an errgroup WithContext does" @36 "the manager runs here" @46 "this goes on"
}

func listen(ctx context.Context) error {
	server := &http.Server{Addr: ":8080", ReadHeaderTimeout: time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

func counted(ctx context.Context, mgr manager.Manager) {
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
		wait.UntilWithContext(ctx, func(context.Context) { klog.Info("a turn") }, time.Minute)
	}()
	wg.Wait() // want unmanaged "counted waits for the manager (line 54) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, wait.UntilWithContext goes on at line 60, and the process stays without controllers; end both together, as an errgroup WithContext does" @54 "the manager runs here" @60 "this goes on"
}

func withContext(ctx context.Context, mgr manager.Manager) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error { return listen(ctx) })
	return group.Wait() // ok: one ends all
}

func cancels(ctx context.Context, mgr manager.Manager) error {
	ctx, cancel := context.WithCancel(ctx)
	var group errgroup.Group
	group.Go(func() error {
		defer cancel()
		return mgr.Start(ctx)
	})
	group.Go(func() error { return listen(ctx) })
	return group.Wait() // ok: the manager ends the other
}

func exits(ctx context.Context, mgr manager.Manager) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		if err := mgr.Start(ctx); err != nil {
			os.Exit(1)
		}
	}()
	go func() {
		defer wg.Done()
		_ = listen(ctx)
	}()
	wg.Wait() // ok: the process ends with the manager
}

func ends(ctx context.Context, mgr manager.Manager, prepare func(context.Context) error) error {
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(func() error { return prepare(ctx) })
	return group.Wait() // ok: of the other it is not known that it goes on
}

// the manager ends the server, which is one of its runnables.
func handedOver(ctx context.Context, mgr manager.Manager) error {
	server := &http.Server{Addr: ":8080", ReadHeaderTimeout: time.Second}
	if err := mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		<-ctx.Done()
		return server.Close()
	})); err != nil {
		return err
	}
	var group errgroup.Group
	group.Go(func() error { return mgr.Start(ctx) })
	group.Go(server.ListenAndServe)
	group.Go(func() error { return server.ListenAndServe() })
	return group.Wait() // ok
}

// whichever of the two ends first ends the other.
func whichever(ctx context.Context, mgr manager.Manager) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 2)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		failed <- mgr.Start(ctx)
	}()
	go func() {
		defer wg.Done()
		failed <- listen(ctx)
	}()
	err := <-failed
	cancel()
	wg.Wait() // ok
	return err
}

// app has its group, and the context of that, in fields.
type app struct {
	group *errgroup.Group
	mgr   manager.Manager
}

func (a *app) run(ctx context.Context) error {
	a.group, ctx = errgroup.WithContext(ctx)
	a.group.Go(func() error { return a.mgr.Start(ctx) })
	a.group.Go(func() error { return listen(ctx) })
	return a.group.Wait() // ok
}
