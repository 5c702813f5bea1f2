package pages

import (
	"context"
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func serve(ctx context.Context, server *http.Server) error {
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return server.ListenAndServe()
}

// Started gives what others start.
func Started(server *http.Server) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error { return serve(ctx, server) }) // ok: no manager gets it
}

// Given gives what others hand to a manager.
func Given(server *http.Server) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error { return serve(ctx, server) }) // want leaderonly "this RunnableFunc runs on the leader alone, and server.ListenAndServe serves clients (given.go:15): on the other replicas it never runs" @15 "every replica needs this" @given.go:25 "it is handed to the manager here"
}

// Alone gives what others hand to a manager that elects nobody.
func Alone(server *http.Server) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error { return serve(ctx, server) }) // ok: it runs on each replica
}

type placed struct {
	manager.Runnable
	lead bool
}

// NeedLeaderElection says where it runs.
func (p *placed) NeedLeaderElection() bool { return p.lead }

// Everywhere makes a Runnable for each replica of another one.
func Everywhere(r manager.Runnable) manager.Runnable { return &placed{Runnable: r} }

// Wrapped gives what says where it runs.
func Wrapped(server *http.Server) manager.Runnable {
	return Everywhere(manager.RunnableFunc(func(ctx context.Context) error { return serve(ctx, server) })) // ok
}
