// Package syncer wraps a wait, twice.
package syncer

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
)

// Wait waits until ctx ends.
func Wait(ctx context.Context, synced ...cache.InformerSynced) bool { return upTo(ctx.Done(), synced) } // want Wait:"waits for cache.WaitForCacheSync (syncer.go:16) until p0 through upTo"

func upTo(stop <-chan struct{}, synced []cache.InformerSynced) bool { // want upTo:"waits for cache.WaitForCacheSync (syncer.go:16) until p0"
	return cache.WaitForCacheSync(stop, synced...)
}

// Bounded brings a deadline of its own.
func Bounded(ctx context.Context, synced ...cache.InformerSynced) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return Wait(ctx, synced...)
}

// A Mover moves what there is.
type Mover struct {
	Load func(context.Context) (int, error)
}

// Settle waits until nothing is left.
func (m *Mover) Settle(ctx context.Context) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		n, err := m.Load(ctx)
		return n == 0, err
	})
}

// Announce says so.
func (m *Mover) Announce(ctx context.Context) error {
	_, err := m.Load(ctx)
	return err
}
