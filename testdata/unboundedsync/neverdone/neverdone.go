// Package neverdone waits for the end of contexts that nothing ends.
package neverdone

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// profiles is to be shut down.
func profiles(addr string) {
	server := &http.Server{Addr: addr, ReadHeaderTimeout: time.Minute}
	go func() {
		ctx := context.Background()
		<-ctx.Done() // want neverstops "context.Background() never ends, so what is behind this is never done (line 25); wait for a context that something ends" @25 "control never comes here"
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			klog.Error(err, "shutting down")
		}
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		klog.Fatal(err)
	}
}

// tells has somebody wait.
func tells(ended chan<- struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	<-ctx.Done() // want neverstops "context.Background() never ends, so what is behind this is never done (line 39); wait for a context that something ends" @39 "control never comes here"
	close(ended)
}

// given leaves it to its caller.
func given(ctx context.Context, server *http.Server) error {
	<-ctx.Done() // ok
	return server.Shutdown(context.WithoutCancel(ctx))
}

// signalled ends with the process.
func signalled(server *http.Server) error {
	ctx := ctrl.SetupSignalHandler()
	<-ctx.Done() // ok
	return server.Close()
}

// timed ends after a while.
func timed(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	<-ctx.Done() // ok
	return server.Close()
}

// cancelled is ended by the server.
func cancelled(server *http.Server) error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_ = server.ListenAndServe()
	}()
	<-ctx.Done() // ok
	return server.Close()
}

// keeps is meant to go on.
func keeps(server *http.Server) error {
	defer server.Close()
	go func() { _ = server.ListenAndServe() }()
	ctx := context.Background()
	<-ctx.Done() // ok: nothing is behind it
	klog.Info("never said")
	return fmt.Errorf("never returned: %w", ctx.Err())
}

// keepsAll waits for something else, too.
func keepsAll(group *sync.WaitGroup, work func()) {
	ctx, cancel := context.WithCancel(context.Background())
	group.Go(work)
	<-ctx.Done() // ok: nothing is behind it
	cancel()
	group.Wait()
	os.Exit(1)
}

// perhaps waits where it was told to.
func perhaps(server *http.Server, wait bool) error {
	if wait {
		<-context.Background().Done() // ok
	}
	return server.Close()
}

var _ = []any{profiles, tells, given, signalled, timed, cancelled, keeps, keepsAll, perhaps}

// settings have a context that an option may replace.
type settings struct{ ctx context.Context }

type option func(*settings)

func within(ctx context.Context) option { return func(s *settings) { s.ctx = ctx } }

type optional struct {
	ctx    context.Context
	server *http.Server
}

func newOptional(options ...option) *optional {
	s := &settings{ctx: context.Background()}
	for _, set := range options {
		set(s)
	}
	return &optional{ctx: s.ctx, server: &http.Server{}}
}

func (o *optional) run() {
	<-o.ctx.Done() // ok: an option may give another one
	_ = o.server.Close()
}

// fixed have a context that nothing replaces, whoever sees the rest of them.
type fixed struct {
	ctx  context.Context
	name string
}

type fixture struct {
	ctx    context.Context
	server *http.Server
}

func newFixture(name func(*fixed)) *fixture {
	f := &fixed{ctx: context.Background()}
	name(f)
	return &fixture{ctx: f.ctx, server: &http.Server{Addr: f.name}}
}

func (f *fixture) run() {
	<-f.ctx.Done() // want neverstops "context.Background() never ends, so what is behind this is never done (line 148); wait for a context that something ends" @148 "control never comes here"
	_ = f.server.Close()
}
