// Package signals has processes that ask for the signals to them, and look at them sooner or later.
package signals

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
)

func serve() {}

// late waits for the lease before it looks.
func late(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	leading := make(chan struct{})
	config.Callbacks.OnStartedLeading = func(context.Context) { close(leading) }
	go leaderelection.RunOrDie(ctx, config)
	<-leading // want ignored "the signals that late has asked for at line 20 are read only behind this wait: until it is over SIGTERM ends nothing, and the process has to be killed" @20 "from here on signals do not end the process by themselves"
	serve()
	<-signals
	klog.Info("stopped")
}

// atOnce looks at both.
func atOnce(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	leading := make(chan struct{})
	config.Callbacks.OnStartedLeading = func(context.Context) { close(leading) }
	go leaderelection.RunOrDie(ctx, config)
	select {
	case <-leading: // ok
	case <-signals:
		return
	}
	serve()
	<-signals
}

// apart has somebody else who looks.
func apart(leading chan struct{}, cancel context.CancelFunc) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
	}()
	<-leading // ok: the goroutine ends it
	serve()
}

// bounded waits for a while.
func bounded() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-time.After(time.Second) // ok
	<-signals
}

// asksLater lets signals end the process while it waits.
func asksLater(leading chan struct{}) {
	<-leading // ok
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
}

// graceful waits once a signal has come, until a second one does.
func graceful(done chan struct{}) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	go func() {
		<-done
		os.Exit(0)
	}()
	<-done // ok: it has seen the signal
	<-signals
}

var _ = []any{graceful, late, atOnce, apart, bounded, asksLater}
