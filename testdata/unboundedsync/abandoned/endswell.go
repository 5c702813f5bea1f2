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
			failed <- fmt.Errorf("component: %w", err) // want abandoned "send blocks forever (goroutine leak) if its only receiver, load, returns because its context is done (line 43); give the channel a buffer of 1" @37 "the channel is created here" @43 "this select may take another case"
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
			failed <- fmt.Errorf("component: %w", err) // want abandoned "send blocks forever (goroutine leak) if its only receiver, another, returns because its context is done (line 59); give the channel a buffer of 1" @53 "the channel is created here" @59 "this select may take another case"
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
