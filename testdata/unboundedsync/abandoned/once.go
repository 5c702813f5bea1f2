package abandoned

import (
	"context"
	"errors"
	"sync"

	"github.com/spf13/cobra"
)

// cleanCommand cleans up once, and the process ends.
func cleanCommand(clean func() error) *cobra.Command {
	return &cobra.Command{
		Use: "clean",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cleanOnce(cmd.Context(), clean); err != nil {
				return err
			}
			return cleanTogether(cmd.Context(), clean)
		},
		PostRunE: func(cmd *cobra.Command, _ []string) error {
			for {
				if err := cleanAgain(cmd.Context(), clean); err != nil {
					return err
				}
			}
		},
	}
}

func cleanOnce(ctx context.Context, clean func() error) error {
	failed := make(chan error)
	go func() { failed <- clean() }() // ok: it goes with the process
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// the goroutine that is left keeps the command.
func cleanTogether(ctx context.Context, clean func() error) error {
	failed := make(chan error)
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		failed <- clean() // want abandoned "send blocks forever (goroutine leak) if its only receiver, cleanTogether, returns because its context is done (line 52); give the channel a buffer of 1" @44 "the channel is created here" @52 "this select may take another case"
	}()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = errors.New("timed out")
	}
	group.Wait()
	return err
}

func cleanAgain(ctx context.Context, clean func() error) error {
	failed := make(chan error)
	go func() { failed <- clean() }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, cleanAgain, returns because its context is done (line 64); give the channel a buffer of 1" @62 "the channel is created here" @64 "this select may take another case"
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
