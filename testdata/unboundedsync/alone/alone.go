// Package alone starts goroutines for which nobody waits.
package alone

import (
	"context"

	"k8s.io/client-go/tools/cache"
)

// A Balancer starts what goes on as long as the process does.
type Balancer struct{ synced cache.InformerSynced }

func (b *Balancer) wait(stop <-chan struct{}, synced cache.InformerSynced) {
	if cache.WaitForCacheSync(stop, synced) {
		b.synced = synced
	}
}

// Run starts a goroutine that waits, and has nothing to end it with.
func (b *Balancer) Run(synced cache.InformerSynced) {
	stop := make(chan struct{})
	go b.wait(stop, synced) // ok: nobody waits for it
}

// RunAll starts one for each of them.
func (b *Balancer) RunAll(all []cache.InformerSynced) {
	stop := make(chan struct{})
	for _, synced := range all {
		go b.wait(stop, synced) // ok: nobody waits for any of them
	}
}

// runUntil has been given something to end it.
func (b *Balancer) runUntil(ctx context.Context, synced cache.InformerSynced) {
	stop := make(chan struct{})
	go b.wait(stop, synced) // want neverstops "cache.WaitForCacheSync (alone.go:14, via wait) has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @14 "waits here" @35 "nothing closes its stop channel"
	<-ctx.Done()
}

var _ = (*Balancer).runUntil
