// Package source has sources of events for controllers.
package source

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

var errNotSynced = errors.New("not synced")

type waits struct{ cache crcache.Cache }

func (s *waits) Start(ctx context.Context, _ queue) error {
	if _, err := s.cache.GetInformer(ctx, &corev1.Pod{}); err != nil { // want neverstops "(*waits).Start waits for a cache without a timeout: the controller fails once its CacheSyncTimeout is over; wait in WaitForSync instead" @20 "ctx lives as long as the controller"
		return err
	}
	if !s.cache.WaitForCacheSync(ctx) { // want neverstops "(*waits).Start waits for a cache without a timeout: the controller fails once its CacheSyncTimeout is over; wait in WaitForSync instead" @20 "ctx lives as long as the controller"
		return errNotSynced
	}
	return nil
}

func (s *waits) WaitForSync(ctx context.Context) error {
	if !s.cache.WaitForCacheSync(ctx) { // ok: here it belongs
		return errNotSynced
	}
	return nil
}

type starts struct {
	cache crcache.Cache
	done  chan error
}

func (s *starts) Start(ctx context.Context, _ queue) error {
	go func() {
		_, err := s.cache.GetInformer(ctx, &corev1.Pod{}) // ok: nobody waits for it here
		s.done <- err
	}()
	return nil
}

func (s *starts) WaitForSync(ctx context.Context) error {
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

type option struct{ cache crcache.Cache }

func (s *option) Start(ctx context.Context, _ queue) error {
	_, err := s.cache.GetInformer(ctx, &corev1.Pod{}, crcache.BlockUntilSynced(false)) // ok: told not to wait
	return err
}

func (s *option) WaitForSync(context.Context) error { return nil }

type runnable struct{ cache crcache.Cache }

func (s *runnable) Start(ctx context.Context) error {
	if !s.cache.WaitForCacheSync(ctx) { // ok: no source
		return errNotSynced
	}
	<-ctx.Done()
	return nil
}

func (s *runnable) WaitForSync(context.Context) error { return nil }
