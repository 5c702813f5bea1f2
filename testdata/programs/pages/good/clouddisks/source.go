// No bug: Start of the source leaves the wait for the cache to the goroutine that it starts, and WaitForSync, which has the timeout of the controller, waits for that one or for its own context.
//
//adv:rule=unboundedsync sub=sourcestart claim=no

// Package clouddisks reconciles PersistentVolumes when their disk changes at the provider.
package clouddisks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Provider lists what has changed since the last call.
type Provider interface {
	Changed(ctx context.Context) (diskIDs []string, err error)
}

type diskSource struct {
	cache    cache.Cache
	provider Provider
	every    time.Duration

	once   sync.Once
	synced chan struct{}
	failed chan error
}

var _ source.SyncingSource = (*diskSource)(nil)

func newDiskSource(c cache.Cache, p Provider) *diskSource {
	return &diskSource{cache: c, provider: p, every: 20 * time.Second, synced: make(chan struct{}), failed: make(chan error, 1)}
}

// Start implements source.Source.
func (s *diskSource) Start(ctx context.Context, q queue) error {
	s.once.Do(func() { go s.run(ctx, q) })
	return nil
}

func (s *diskSource) run(ctx context.Context, q queue) {
	if !s.cache.WaitForCacheSync(ctx) {
		s.failed <- errors.New("the cache did not sync")
		return
	}
	close(s.synced)
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.poll(ctx, q); err != nil {
				log.FromContext(ctx).Error(err, "provider not polled")
			}
		}
	}
}

func (s *diskSource) poll(ctx context.Context, q queue) error {
	ids, err := s.provider.Changed(ctx)
	if err != nil {
		return fmt.Errorf("ask provider: %w", err)
	}
	for _, id := range ids {
		pvs := &corev1.PersistentVolumeList{}
		if err := s.cache.List(ctx, pvs, client.MatchingLabels{"disks.example.org/id": id}); err != nil {
			return fmt.Errorf("find volume of %s: %w", id, err)
		}
		for i := range pvs.Items {
			q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&pvs.Items[i])})
		}
	}
	return nil
}

// WaitForSync implements source.SyncingSource.
func (s *diskSource) WaitForSync(ctx context.Context) error {
	select {
	case <-s.synced:
		return nil
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Add starts the controller with the manager.
func Add(mgr ctrl.Manager, p Provider, r reconcile.Reconciler) error {
	c, err := controller.New("cloud-disks", mgr, controller.Options{Reconciler: r, CacheSyncTimeout: time.Minute})
	if err != nil {
		return err
	}
	return c.Watch(newDiskSource(mgr.GetCache(), p))
}
