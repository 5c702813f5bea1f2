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
		done <- nil // want abandoned "send blocks forever (goroutine leak) if its only receiver, Again, returns because its context is done (line 21); give the channel a buffer of 1" @16 "the channel is created here" @21 "this select may take another case"
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
	go func() { done <- k.work() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*Kit).Use, returns because its context is done (line 64); give the channel a buffer of 1" @62 "the channel is created here" @64 "this select may take another case"
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
	go func() { done <- f() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, left, returns because its context is done (line 109); give the channel a buffer of 1" @107 "the channel is created here" @109 "this select may take another case"
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
	go func() { done <- f() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, behind, returns because its context is done (line 127); give the channel a buffer of 1" @125 "the channel is created here" @127 "this select may take another case"
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
	go func() { done <- b.work() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*Bench).Use, returns because its context is done (line 162); give the channel a buffer of 1" @160 "the channel is created here" @162 "this select may take another case"
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
