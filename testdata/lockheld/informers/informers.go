// Package informers asks caches for informers under a lock: that waits for the first list of a new kind.
package informers

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type tracker struct {
	mu       sync.Mutex
	cache    cache.Cache
	watching map[schema.GroupVersionKind]bool
}

func (t *tracker) watch(ctx context.Context, gvk schema.GroupVersionKind) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watching[gvk] {
		return nil
	}
	if _, err := t.cache.GetInformerForKind(ctx, gvk); err != nil { // want blocking/possible "t.mu (locked at line 20) is held across t.cache.GetInformerForKind, which may block forever waiting for the API server; unlock first" @20 "t.mu is locked here"
		return err
	}
	t.watching[gvk] = true
	return nil
}

// Nobody waits for the list here.
func (t *tracker) watchSoon(ctx context.Context, gvk schema.GroupVersionKind) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.cache.GetInformerForKind(ctx, gvk, cache.BlockUntilSynced(false))
	return err
}

// The informer is there before the lock is taken.
func (t *tracker) watchFirst(ctx context.Context, gvk schema.GroupVersionKind, obj client.Object) error {
	if _, err := t.cache.GetInformer(ctx, obj); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watching[gvk] = true
	return nil
}

// A router passes the options on: its caller may not want to wait.
type router struct{ cache.Cache }

func (r *router) GetInformerForKind(ctx context.Context, gvk schema.GroupVersionKind, opts ...cache.InformerGetOption) (cache.Informer, error) {
	return r.Cache.GetInformerForKind(ctx, gvk, opts...)
}

func (t *tracker) watchByRouter(ctx context.Context, r *router, gvk schema.GroupVersionKind) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := r.GetInformerForKind(ctx, gvk, cache.BlockUntilSynced(false))
	return err
}

// A counter holds its own lock around what its callers ask for.
type counter struct {
	cache.Cache
	mu sync.Mutex
	n  int
}

func (c *counter) GetInformerForKind(ctx context.Context, gvk schema.GroupVersionKind, opts ...cache.InformerGetOption) (cache.Informer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.Cache.GetInformerForKind(ctx, gvk, opts...) // want blocking/possible "c.mu (locked at line 73) is held across c.Cache.GetInformerForKind, which may block forever waiting for the API server; unlock first" @73 "c.mu is locked here"
}
