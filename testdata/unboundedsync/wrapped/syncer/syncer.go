// Package syncer wraps a wait, twice.
package syncer

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
)

// Wait waits until ctx ends.
func Wait(ctx context.Context, synced ...cache.InformerSynced) bool { return upTo(ctx.Done(), synced) } // want Wait:"waits for cache.WaitForCacheSync (syncer.go:15) until p0 through upTo and says whether"

func upTo(stop <-chan struct{}, synced []cache.InformerSynced) bool { // want upTo:"waits for cache.WaitForCacheSync (syncer.go:15) until p0 and says whether"
	return cache.WaitForCacheSync(stop, synced...)
}

// Bounded brings a deadline of its own.
func Bounded(ctx context.Context, synced ...cache.InformerSynced) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return Wait(ctx, synced...)
}
