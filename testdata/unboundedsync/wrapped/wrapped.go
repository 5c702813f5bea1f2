// Package wrapped hands endless contexts to functions of another package that wait.
package wrapped

import (
	"context"

	"k8s.io/client-go/tools/cache"

	"example.com/operators/unboundedsync/wrapped/syncer"
)

func start(ctx context.Context, synced cache.InformerSynced) { // want start:"waits for cache.WaitForCacheSync (syncer.go:15) until p0 through Wait and says whether; waits for cache.WaitForNamedCacheSync (wrapped.go:23) until p0 through local"
	syncer.Wait(ctx, synced)                                               // ok: the caller's context
	syncer.Wait(context.Background(), synced)                              // want neverstops "cache.WaitForCacheSync (syncer.go:15, through Wait) waits for an API server to answer and cannot be stopped: context.Background() never ends" @14 "waits at syncer.go:15" @14 "context.Background() never ends"
	syncer.Bounded(context.Background(), synced)                           // ok: the callee adds a deadline
	local(context.TODO(), synced)                                          // want neverstops "cache.WaitForNamedCacheSync (wrapped.go:23, through local) waits for an API server to answer and cannot be stopped: context.TODO() never ends" @23 "waits here" @16 "context.TODO() never ends"
	local(ctx, synced)                                                     // ok: the caller's context
	go local(context.TODO(), synced)                                       // want neverstops "cache.WaitForNamedCacheSync (wrapped.go:23, through local) waits for an API server to answer and cannot be stopped: context.TODO() never ends" @23 "waits here" @18 "context.TODO() never ends"
	go cache.WaitForNamedCacheSync("alone", context.TODO().Done(), synced) // ok: nothing comes behind it
}

func local(ctx context.Context, synced cache.InformerSynced) {
	cache.WaitForNamedCacheSync("local", ctx.Done(), synced) // ok: a parameter
}
