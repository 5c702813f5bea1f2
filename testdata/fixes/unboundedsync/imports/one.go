package imports

import "k8s.io/client-go/tools/cache"

func wait(stop <-chan struct{}, synced ...cache.InformerSynced) error {
	cache.WaitForCacheSync(stop, synced...)
	return nil
}
