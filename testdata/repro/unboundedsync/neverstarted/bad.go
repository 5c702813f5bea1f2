// Package neverstarted waits for the cache of an informer that the factory was asked for after its Start.
package neverstarted

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
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), pods.Informer().HasSynced) { // want neverstarted "the cache of pods.Informer is waited for but stays empty: it is requested on line 19, after Start of the factory on line 18; request it before, or call Start again" @18 "the factory is created or started here"
		return nil, errors.New("the cache of pods did not sync")
	}
	return pods.Lister(), nil
}
