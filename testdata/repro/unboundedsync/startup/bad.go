// Package startup waits for caches until a channel is closed that nobody closes.
package startup

import (
	"context"
	"errors"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Bad gives a lister of pods, whose cache is kept up to date until ctx ends.
func Bad(ctx context.Context, client kubernetes.Interface) (corelisters.PodLister, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	synced := pods.Informer().HasSynced
	factory.Start(ctx.Done())
	stop := make(chan struct{})
	if !cache.WaitForCacheSync(stop, synced) { // want neverstops "cache.WaitForCacheSync has no timeout: nothing closes its stop channel, so it hangs while the API server is down; pass a channel that is closed on shutdown" @20 "nothing closes its stop channel"
		return nil, errors.New("the cache of pods did not sync")
	}
	return pods.Lister(), nil
}
