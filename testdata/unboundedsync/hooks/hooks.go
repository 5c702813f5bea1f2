// Package hooks has what runs once an API server has started.
package hooks

import (
	"context"
	"time"

	"k8s.io/client-go/informers"
)

// PostStartHookContext is that of k8s.io/apiserver/pkg/server.
type PostStartHookContext struct {
	context.Context
	StopCh <-chan struct{}
}

type PostStartHookFunc func(PostStartHookContext) error

type server interface {
	AddPostStartHookOrDie(name string, hook PostStartHookFunc)
	AddPreShutdownHook(name string, hook func() error) error
}

func waits(s server, factory informers.SharedInformerFactory) {
	s.AddPostStartHookOrDie("informers", func(ctx PostStartHookContext) error {
		factory.Start(ctx.Done())
		<-ctx.Done() // want neverstops "this hook returns only when the server stops, and the server is ready only when its hooks have returned (AddPostStartHookOrDie, line 25): wait in a goroutine" @25 "handed over here"
		return nil
	})
	s.AddPostStartHookOrDie("informers-by-channel", named)
	s.AddPostStartHookOrDie("selects", func(ctx PostStartHookContext) error {
		select {
		case <-ctx.Done(): // want neverstops "this hook returns only when the server stops, and the server is ready only when its hooks have returned (AddPostStartHookOrDie, line 31): wait in a goroutine" @31 "handed over here"
		}
		return nil
	})
}

func named(ctx PostStartHookContext) error {
	<-ctx.StopCh // want neverstops "this hook returns only when the server stops, and the server is ready only when its hooks have returned (AddPostStartHookOrDie, line 30): wait in a goroutine" @30 "handed over here"
	return nil
}

func goesOn(s server, factory informers.SharedInformerFactory, ready <-chan struct{}) {
	s.AddPostStartHookOrDie("informers", func(ctx PostStartHookContext) error {
		factory.Start(ctx.Done())
		go func() {
			<-ctx.Done() // ok: the hook has returned
			factory.Shutdown()
		}()
		return nil
	})
	s.AddPostStartHookOrDie("ready", func(ctx PostStartHookContext) error {
		select {
		case <-ready:
		case <-ctx.Done(): // ok: it may go on before
		}
		return nil
	})
	s.AddPostStartHookOrDie("bounded", func(ctx PostStartHookContext) error {
		bounded, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		<-bounded.Done() // ok: not longer than a second
		return nil
	})
}
