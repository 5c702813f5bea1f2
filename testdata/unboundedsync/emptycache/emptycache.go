// Package main waits for caches behind asking for signals.
package main

import (
	"context"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	endless := context.Background()
	_ = empty(endless)
	_ = filled(endless)    // want neverstops "made.WaitForCacheSync (emptycache.go:66, via filled) has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @66 "waits here" @17 "context.Background() is never done"
	_ = unstarted(endless) // want neverstops "made.WaitForCacheSync (emptycache.go:78, via unstarted) has no timeout: context.Background() is never done, so it hangs while the API server is down; pass a context that ends" @78 "waits here" @17 "context.Background() is never done"
	_ = plain(endless)
	<-ctx.Done()
}

// empty has nobody who has asked the cache for anything.
func empty(ctx context.Context) cache.Cache {
	made, err := cache.New(&rest.Config{}, cache.Options{})
	if err != nil {
		panic(err)
	}
	go func() {
		if err := made.Start(ctx); err != nil {
			panic(err)
		}
	}()
	if !made.WaitForCacheSync(ctx) {
		panic("no cache")
	}
	return made
}

// plain starts the cache by its method.
func plain(ctx context.Context) cache.Cache {
	made, _ := cache.New(&rest.Config{}, cache.Options{})
	go made.Start(ctx)
	if !made.WaitForCacheSync(ctx) {
		panic("no cache")
	}
	return made
}

// filled asks for an informer before.
func filled(ctx context.Context) cache.Cache {
	made, err := cache.New(&rest.Config{}, cache.Options{})
	if err != nil {
		panic(err)
	}
	if _, err := made.GetInformer(ctx, &corev1.Pod{}, cache.BlockUntilSynced(false)); err != nil {
		panic(err)
	}
	go func() {
		if err := made.Start(ctx); err != nil {
			panic(err)
		}
	}()
	if !made.WaitForCacheSync(ctx) {
		panic("no cache")
	}
	return made
}

// unstarted leaves it to others to start the cache.
func unstarted(ctx context.Context) cache.Cache {
	made, err := cache.New(&rest.Config{}, cache.Options{})
	if err != nil {
		panic(err)
	}
	if !made.WaitForCacheSync(ctx) {
		panic("no cache")
	}
	go func() {
		if err := made.Start(ctx); err != nil {
			panic(err)
		}
	}()
	return made
}
