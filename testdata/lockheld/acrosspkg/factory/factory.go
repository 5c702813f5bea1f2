// Package factory waits, and imports nothing that says so: the factory is one by its shape.
package factory

import "k8s.io/client-go/informers"

// Sync waits until the caches have their first list.
func Sync(f informers.SharedInformerFactory, stop <-chan struct{}) {
	f.WaitForCacheSync(stop)
}
