// Package sources gives contexts.
package sources

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Context ends with the first signal, and the process with the second one.
func Context() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(2)
	}()
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return ctx, cancel
}
