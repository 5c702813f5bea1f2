// Package ignored throws away what waits for caches say.
package ignored

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
)

type controller struct {
	pods   cache.Store
	synced cache.InformerSynced
}

// timed goes on with a cache that may be empty, once the time is over.
func (c *controller) timed(ctx context.Context) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cache.WaitForCacheSync(ctx.Done(), c.synced) // want ignoredresult "the result of cache.WaitForCacheSync is ignored: where the wait runs out of time, line 21 goes on to read c.pods with a cache that is not complete" @21 "goes on here"
	return c.pods.List()
}

// stopped does so when the process ends. -unboundedsync.stopped reports it.
func (c *controller) stopped(stop <-chan struct{}) []any {
	cache.WaitForCacheSync(stop, c.synced) // ok
	return c.pods.List()
}

// checked looks.
func (c *controller) checked(ctx context.Context) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) { // ok
		return nil
	}
	return c.pods.List()
}
