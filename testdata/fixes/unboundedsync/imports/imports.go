// Package imports makes no errors of its own yet.
package imports

import (
	"k8s.io/client-go/informers"
)

func start(f informers.SharedInformerFactory, stop <-chan struct{}) error {
	f.Start(stop)
	f.WaitForCacheSync(stop)
	return nil
}
