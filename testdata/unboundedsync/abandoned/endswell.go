package abandoned

import (
	"context"
	"fmt"
	"sync"
)

type component interface {
	Start(ctx context.Context) error
	Load(ctx context.Context) error
}

// host waits for the component to end, which does so without an error when its context has ended.
func host(ctx context.Context, c component) error {
	failed := make(chan error)
	var wg sync.WaitGroup
	wg.Add(1)
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer wg.Done()
		if err := c.Start(within); err != nil {
			failed <- fmt.Errorf("component: %w", err) // ok
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// load has something that fails when its context has ended.
func load(ctx context.Context, c component) error {
	failed := make(chan error)
	go func() {
		if err := c.Load(ctx); err != nil {
			failed <- fmt.Errorf("component: %w", err) // want abandoned "this send waits forever where load has returned before, as it does when its context has ended (line 43): nobody else receives from a channel without room; make it with room for one" @37 "the channel is made here" @43 "this may take another way"
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// another runs until a context ends that is not the one that it leaves for.
func another(ctx, life context.Context, c component) error {
	failed := make(chan error)
	go func() {
		if err := c.Start(life); err != nil {
			failed <- fmt.Errorf("component: %w", err) // want abandoned "this send waits forever where another has returned before, as it does when its context has ended (line 59): nobody else receives from a channel without room; make it with room for one" @53 "the channel is made here" @59 "this may take another way"
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

var _ = []any{host, load, another}
