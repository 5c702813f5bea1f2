// Package syncer wraps a wait, twice.
package syncer

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
)

// Wait waits until ctx ends.
func Wait(ctx context.Context, synced ...cache.InformerSynced) bool { return upTo(ctx.Done(), synced) }

func upTo(stop <-chan struct{}, synced []cache.InformerSynced) bool {
	return cache.WaitForCacheSync(stop, synced...)
}

// Bounded brings a deadline of its own.
func Bounded(ctx context.Context, synced ...cache.InformerSynced) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return Wait(ctx, synced...)
}
