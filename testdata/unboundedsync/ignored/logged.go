package ignored

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// told logs what came of the wait, whatever that is.
func (c *controller) told(ctx context.Context) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	klog.InfoS("waited", "synced", cache.WaitForCacheSync(ctx.Done(), c.synced)) // want ignoredresult "the result of cache.WaitForCacheSync is only logged: where the wait runs out of time, line 19 goes on to read c.pods with a cache that is not complete" @19 "goes on here"
	return c.pods.List()
}

// twice logs it, and once more where that is bad.
func (c *controller) twice(ctx context.Context, log logr.Logger) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ok := cache.WaitForCacheSync(ctx.Done(), c.synced) // want ignoredresult "the result of cache.WaitForCacheSync is only logged: where the wait runs out of time, line 32 goes on to read c.pods with a cache that is not complete" @32 "goes on here"
	log = log.WithValues("synced", ok)
	if !ok {
		log.Info("not all pods are known")
	}
	log.Info("listing")
	return c.pods.List()
}

// each logs which caches did not sync.
func (c *controller) each(ctx context.Context, factory informers.SharedInformerFactory) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) { // want ignoredresult "the result of factory.WaitForCacheSync is only logged: where the wait runs out of time, line 44 goes on to read c.pods with a cache that is not complete" @44 "goes on here"
		if !ok {
			klog.Warningf("%v is not there yet", kind)
		}
	}
	return c.pods.List()
}

// any goes by one of them.
func (c *controller) any(ctx context.Context, factory informers.SharedInformerFactory) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	missing := 0
	for kind, ok := range factory.WaitForCacheSync(ctx.Done()) { // ok
		if !ok {
			klog.Warningf("%v is not there yet", kind)
			missing++
		}
	}
	if missing > 0 {
		return nil
	}
	return c.pods.List()
}

// says makes an error of it, which others see.
func (c *controller) says(ctx context.Context) ([]any, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ok := cache.WaitForCacheSync(ctx.Done(), c.synced) // ok
	return c.pods.List(), fmt.Errorf("synced: %v", ok)
}

// notes keeps it for others.
func (c *controller) notes(ctx context.Context, seen map[string]any) []any {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	seen["synced"] = cache.WaitForCacheSync(ctx.Done(), c.synced) // ok
	return c.pods.List()
}
