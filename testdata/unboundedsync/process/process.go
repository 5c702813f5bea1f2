// Command process waits while it starts, where a signal still ends it, and where nobody does.
package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
)

type app struct {
	caches crcache.Cache
	synced cache.InformerSynced
}

func main() {
	a := &app{}
	for range 2 {
		a.prepare()
	}
	go func() {
		a.caches.WaitForCacheSync(context.Background()) // ok: a goroutine of the process, for which nobody waits
		a.work()
	}()
	shared(a)
	a.deaf()
	a.beside()
	a.handle(http.DefaultServeMux)
	ctx := ctrl.SetupSignalHandler()
	a.late()
	<-ctx.Done()
}

func (a *app) work() {}

func (a *app) prepare() {
	a.caches.WaitForCacheSync(context.Background()) // ok: before main asks for signals
}

// late is called when main has asked for signals: none ends the process any more.
func (a *app) late() {
	a.caches.WaitForCacheSync(context.Background()) // want neverstops "a.caches.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @49 "context.Background() is never done"
}

// deaf asks for signals itself.
func (a *app) deaf() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	a.caches.WaitForCacheSync(context.Background()) // want neverstops "a.caches.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @56 "context.Background() is never done"
	<-c
}

// beside lets a goroutine wait, when a signal is heard elsewhere.
func (a *app) beside() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go a.quiet()
	<-c
}

func (a *app) quiet() {
	a.caches.WaitForCacheSync(context.Background()) // ok: main goes on
	a.work()
}

// Serve asks for signals when the caches are there: until then each ends the process, whoever calls it.
func (a *app) Serve() {
	a.caches.WaitForCacheSync(context.Background()) // ok
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
}

// Unknown is called by nobody in sight.
func (a *app) Unknown() {
	a.caches.WaitForCacheSync(context.Background()) // ok: nothing is at hand that could end it, and nobody is known to come again
}

func command(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "wait",
		RunE: func(*cobra.Command, []string) error {
			a.caches.WaitForCacheSync(context.Background()) // ok: the user can end it
			return inner(a)
		},
		Run: a.run,
	}
}

func inner(a *app) error {
	a.caches.WaitForCacheSync(context.TODO()) // ok: of the command
	return nil
}

func (a *app) run(*cobra.Command, []string) {
	a.caches.WaitForCacheSync(context.TODO()) // ok: the command
}

// shared is for main, and for each request.
func shared(a *app) {
	a.caches.WaitForCacheSync(context.Background()) // want neverstops "a.caches.WaitForCacheSync has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @108 "context.Background() is never done"
}

func (a *app) handle(mux *http.ServeMux) {
	mux.HandleFunc("/pods", func(w http.ResponseWriter, _ *http.Request) {
		shared(a)
		cache.WaitForCacheSync(wait.NeverStop, a.synced) // want neverstops "cache.WaitForCacheSync has no timeout: wait.NeverStop is never closed, so it hangs while the API server is down; pass a channel that is closed on shutdown" @114 "wait.NeverStop is never closed"
	})
	go wait.Until(func() {
		_ = wait.PollInfinite(time.Second, a.ready) // want neverstops "wait.PollInfinite may wait forever for its condition to hold: it takes neither a timeout nor a context; use a variant with a context or timeout"
	}, time.Second, wait.NeverStop)
}

func (a *app) ready() (bool, error) { return a.synced(), nil }

// Meant says that it is to go on, and nobody asked for less.
func (a *app) Meant() {
	cache.WaitForCacheSync(wait.NeverStop, a.synced) // ok
	_ = wait.PollInfinite(time.Second, a.ready)      // ok
}

// Less was given something that could end it.
func (a *app) Less(stop <-chan struct{}) {
	cache.WaitForCacheSync(wait.NeverStop, a.synced) // want neverstops "cache.WaitForCacheSync has no timeout: wait.NeverStop is never closed, so it hangs while the API server is down; pass a channel that is closed on shutdown" @131 "wait.NeverStop is never closed"
	<-stop
}

// Initialize was given it, too, and keeps nobody in what it starts.
func (a *app) Initialize(stop <-chan struct{}) {
	go a.informers(wait.NeverStop) // ok: it is to go on
	a.informers(wait.NeverStop)    // want neverstops "cache.WaitForCacheSync (process.go:143, via informers) has no timeout: wait.NeverStop is never closed, so it hangs while the API server is down; pass a channel that is closed on shutdown" @143 "waits here" @138 "wait.NeverStop is never closed"
	<-stop
}

func (a *app) informers(stop <-chan struct{}) {
	cache.WaitForCacheSync(stop, a.synced)
}

// Reconcile keeps one of the workers.
func (a *app) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, a.leave()
}

func (a *app) leave() error {
	return wait.PollInfinite(time.Second, a.ready) // want neverstops "wait.PollInfinite may wait forever for its condition to hold: it takes neither a timeout nor a context; use a variant with a context or timeout"
}

var _ = []any{command, (*app).Serve, (*app).Unknown, (*app).Meant, (*app).Less, (*app).Initialize}
