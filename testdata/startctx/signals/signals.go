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
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/startctx/signals/sources"
)

func serve() {}

// late waits for the lease before it looks.
func late(ctx context.Context, config leaderelection.LeaderElectionConfig) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	leading := make(chan struct{})
	config.Callbacks.OnStartedLeading = func(context.Context) { close(leading) }
	go leaderelection.RunOrDie(ctx, config)
	<-leading // want ignored "the signals that late has asked for at line 23 are read only behind this wait: until it is over SIGTERM ends nothing, and the process has to be killed" @23 "from here on signals do not end the process by themselves"
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

// forgotten makes another context in the place of the one that ends with a signal.
func forgotten() {
	ctx := ctrl.SetupSignalHandler() // want ignored "forgotten takes nothing from ctrl.SetupSignalHandler, which asks for the signals to the process: SIGTERM does not end it from here on, and nothing hears of it; hand that context on"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run(ctx)
}

func run(ctx context.Context) { <-ctx.Done() }

// forever starts what ends with a signal, and stays.
func forever() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	go run(ctx)
	select {} // want ignored "this waits for ever, and SIGTERM no longer ends the process since line 104: it ends a context, and forever has to be killed; wait for that context" @104 "from here on signals do not end the process by themselves"
}

// foreverHere has the context from a helper in another package.
func foreverHere() {
	ctx, _ := sources.Context()
	go run(ctx)
	select {} // want ignored "this waits for ever, and SIGTERM no longer ends the process since line 111: it ends a context, and foreverHere has to be killed; wait for that context" @111 "from here on signals do not end the process by themselves"
}

// waits for the end.
func waits() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go run(ctx)
	<-ctx.Done() // ok
}

// exits has somebody who ends the process.
func exits() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		os.Exit(0)
	}()
	select {} // ok
}

// unasked leaves the signals to the runtime, which ends the process.
func unasked(ctx context.Context) {
	go run(ctx)
	select {} // ok
}

// before stays only where there is nothing to do.
func before(idle bool) {
	if idle {
		select {} // ok: no signal has been asked for
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	run(ctx)
}

// served has somebody who ends the process when the work is over.
func served() {
	ctx := ctrl.SetupSignalHandler()
	go runAndExit(ctx)
	select {} // ok
}

func runAndExit(ctx context.Context) {
	run(ctx)
	exit()
}

func exit() { os.Exit(0) }

// dumps is told to say what it does.
func dumps() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGUSR1)
	go run(ctx)
	select {} // ok: SIGTERM ends the process
}
