// Package store waits for something in ways that no analysis of Go code sees: as if it called C.
package store

import "context"

// Flush waits until another machine has all.
func Flush() error { return nil }

// FlushContext is Flush with a way to stop it.
func FlushContext(_ context.Context, _ string) error { return nil }

// Drain waits until stop is closed.
func Drain(_ string, _ <-chan struct{}) {}

// Journal is a file on another machine.
type Journal interface {
	// Sync waits for the other machine.
	Sync() error
	// Len does not wait.
	Len() int
}
