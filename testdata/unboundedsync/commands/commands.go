// Package commands has what a command runs.
package commands

import (
	"context"
	"time"
)

// Install is what the command does, and then it ends.
func Install(ctx context.Context) error {
	return tried(ctx, func() error { time.Sleep(time.Second); return nil })
}

// Again is what the command does in each turn of a loop.
func Again(ctx context.Context) error {
	done := make(chan error)
	go func() {
		time.Sleep(time.Second)
		done <- nil // want abandoned "this send waits forever where Again has returned before, as it does when its context has ended (line 21): nobody else receives from a channel without room; make it with room for one" @16 "the channel is made here" @21 "this may take another way"
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Forgotten is what no program does.
func Forgotten(ctx context.Context) error {
	done := make(chan error)
	go func() {
		time.Sleep(time.Second)
		done <- nil // ok: nobody comes here
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func tried(ctx context.Context, f func() error) error {
	done := make(chan error)
	go func() {
		done <- f() // ok: the goroutine ends with the command
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A Kit may be used at any time by who has it.
type Kit struct{ work func() error }

// Use leaves a goroutine behind.
func (k *Kit) Use(ctx context.Context) error {
	done := make(chan error)
	go func() { done <- k.work() }() // want abandoned "this send waits forever where (*Kit).Use has returned before, as it does when its context has ended (line 64): nobody else receives from a channel without room; make it with room for one" @62 "the channel is made here" @64 "this may take another way"
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Patiently tries for a minute, and fails where one try does.
func Patiently(ctx context.Context) (err error) {
	for begun := time.Now(); time.Since(begun) < time.Minute; {
		if err = tried(ctx, func() error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// Counted tries three times, until one try does it.
func Counted(ctx context.Context) (err error) {
	for i := 0; i < 3; i++ {
		if err = tried(ctx, func() error { return nil }); err == nil {
			return nil
		}
	}
	return err
}

// Until tries until it is late.
func Until(ctx context.Context, end time.Time) {
	for time.Now().Before(end) {
		_ = tried(ctx, func() error { return nil })
	}
}

// Drained does it for all that comes into the queue meanwhile, too.
func Drained(ctx context.Context, queue interface{ Len() int }) {
	for queue.Len() > 0 {
		_ = left(ctx, func() error { return nil })
	}
}

func left(ctx context.Context, f func() error) error {
	done := make(chan error)
	go func() { done <- f() }() // want abandoned "this send waits forever where left has returned before, as it does when its context has ended (line 109): nobody else receives from a channel without room; make it with room for one" @107 "the channel is made here" @109 "this may take another way"
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stale asks for the time once.
func Stale(ctx context.Context, end time.Time) {
	for now := time.Now(); now.Before(end); {
		_ = behind(ctx, func() error { return nil })
	}
}

func behind(ctx context.Context, f func() error) error {
	done := make(chan error)
	go func() { done <- f() }() // want abandoned "this send waits forever where behind has returned before, as it does when its context has ended (line 127): nobody else receives from a channel without room; make it with room for one" @125 "the channel is made here" @127 "this may take another way"
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A Tool is used by the command alone, once.
type Tool struct{ work func() error }

// Use leaves a goroutine behind.
func (t *Tool) Use(ctx context.Context) error {
	done := make(chan error)
	go func() { done <- t.work() }() // ok: it ends with the command
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A user is something to use.
type user interface {
	Use(ctx context.Context) error
}

// A Bench is used by the command, once, and by the package in each turn.
type Bench struct{ work func() error }

// Use leaves a goroutine behind.
func (b *Bench) Use(ctx context.Context) error {
	done := make(chan error)
	go func() { done <- b.work() }() // want abandoned "this send waits forever where (*Bench).Use has returned before, as it does when its context has ended (line 162): nobody else receives from a channel without room; make it with room for one" @160 "the channel is made here" @162 "this may take another way"
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Rounds uses them in each turn.
func Rounds(ctx context.Context, ticks <-chan time.Time, benches []*Bench) {
	var users []user
	for _, b := range benches {
		users = append(users, b)
	}
	for range ticks {
		for _, u := range users {
			_ = u.Use(ctx)
		}
	}
}
