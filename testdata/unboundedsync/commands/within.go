package commands

import (
	"context"
	"time"
)

// Within is what the command does, and what it hands to tried is run there once.
func Within(ctx context.Context) error {
	return tried(ctx, func() error {
		found := make(chan error)
		go func() {
			time.Sleep(time.Second)
			found <- nil // ok: the goroutine ends with the command
		}()
		select {
		case err := <-found:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// Over hands it to what runs it again and again.
func Over(ctx context.Context) {
	over(ctx, func() error {
		found := make(chan error)
		go func() {
			time.Sleep(time.Second)
			found <- nil // want abandoned "send blocks forever (goroutine leak) if its only receiver, Over, returns because its context is done (line 33); give the channel a buffer of 1" @28 "the channel is created here" @33 "this select may take another case"
		}()
		select {
		case err := <-found:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func over(ctx context.Context, f func() error) {
	for ctx.Err() == nil {
		_ = f()
	}
}

// Kept hands it to what keeps it for later.
func Kept(ctx context.Context) {
	keep(func() error {
		found := make(chan error)
		go func() {
			time.Sleep(time.Second)
			found <- nil // want abandoned "send blocks forever (goroutine leak) if its only receiver, Kept, returns because its context is done (line 56); give the channel a buffer of 1" @51 "the channel is created here" @56 "this select may take another case"
		}()
		select {
		case err := <-found:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

var kept []func() error

func keep(f func() error) {
	_ = f()
	kept = append(kept, f)
}
