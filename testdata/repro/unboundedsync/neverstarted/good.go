package neverstarted

import (
	"context"
	"errors"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Good gives a lister of pods, whose cache is kept up to date until ctx ends.
func Good(ctx context.Context, client kubernetes.Interface) (corelisters.PodLister, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	synced := pods.Informer().HasSynced
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), synced) {
		return nil, errors.New("the cache of pods did not sync")
	}
	return pods.Lister(), nil
}
