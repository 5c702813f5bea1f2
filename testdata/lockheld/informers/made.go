package informers

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

// clients are those of other clusters, by name.
type clients struct {
	mu    sync.Mutex
	known map[string]client.Client
}

// connect waits for a cache of which nobody has asked for anything: it is over as soon as the cache is started.
func (c *clients) connect(ctx context.Context, name string, config *rest.Config) (client.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	other, err := cluster.New(config)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := other.Start(ctx); err != nil {
			panic(err)
		}
	}()
	if !other.GetCache().WaitForCacheSync(ctx) {
		return nil, ctx.Err()
	}
	c.known[name] = other.GetClient()
	return c.known[name], nil
}

// connectWarm asks for an informer first.
func (c *clients) connectWarm(ctx context.Context, name string, config *rest.Config) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	other, err := cluster.New(config)
	if err != nil {
		return err
	}
	if err := other.GetFieldIndexer().IndexField(ctx, &corev1.Pod{}, "spec.nodeName", nodeOf); err != nil {
		return err
	}
	go func() { _ = other.Start(ctx) }()
	if !other.GetCache().WaitForCacheSync(ctx) { // want blocking/possible "c.mu (locked at line 43) is held across GetCache().WaitForCacheSync, which may block forever waiting for the API server; unlock first" @43 "c.mu is locked here"
		return ctx.Err()
	}
	c.known[name] = other.GetClient()
	return nil
}

// connectShared lets others ask meanwhile.
func (c *clients) connectShared(ctx context.Context, name string, config *rest.Config) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	other, err := cluster.New(config)
	if err != nil {
		return err
	}
	c.known[name] = other.GetClient()
	go func() { _ = other.Start(ctx) }()
	if !other.GetCache().WaitForCacheSync(ctx) { // want blocking/possible "c.mu (locked at line 62) is held across GetCache().WaitForCacheSync, which may block forever waiting for the API server; unlock first" @62 "c.mu is locked here"
		return ctx.Err()
	}
	return nil
}

// bare has no cluster around the cache.
func (c *clients) bare(ctx context.Context, config *rest.Config) (cache.Cache, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, err := cache.New(config, cache.Options{})
	if err != nil {
		return nil, err
	}
	go func() { _ = own.Start(ctx) }()
	own.WaitForCacheSync(ctx)
	return own, nil
}

// managed starts what it has set up.
func (c *clients) managed(ctx context.Context, config *rest.Config) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	mgr, err := ctrl.NewManager(config, ctrl.Options{})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(nil); err != nil {
		return err
	}
	go func() { _ = mgr.Start(ctx) }()
	mgr.GetCache().WaitForCacheSync(ctx) // want blocking/possible "c.mu (locked at line 91) is held across GetCache().WaitForCacheSync, which may block forever waiting for the API server; unlock first" @91 "c.mu is locked here"
	return nil
}

// unmanaged starts nothing but a manager.
func (c *clients) unmanaged(ctx context.Context, config *rest.Config) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	mgr, err := ctrl.NewManager(config, ctrl.Options{})
	if err != nil {
		return err
	}
	go func() { _ = mgr.Start(ctx) }()
	mgr.GetCache().WaitForCacheSync(ctx)
	return nil
}

func nodeOf(obj client.Object) []string { return []string{obj.(*corev1.Pod).Spec.NodeName} }
