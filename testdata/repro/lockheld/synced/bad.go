// Package synced waits for caches under the lock that it takes to end the wait.
package synced

import (
	"errors"
	"sync"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Bad has the informers of a cluster.
type Bad struct {
	client kubernetes.Interface

	mu      sync.Mutex
	stop    chan struct{} // nil while nothing runs
	factory informers.SharedInformerFactory
}

// NewBad has informers that do not run.
func NewBad(client kubernetes.Interface) *Bad { return &Bad{client: client} }

// Start runs the informers and waits for their caches. Reset ends both.
func (b *Bad) Start() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.factory = informers.NewSharedInformerFactory(b.client, 0)
	pods := b.factory.Core().V1().Pods().Informer()
	b.stop = make(chan struct{})
	b.factory.Start(b.stop)
	if !cache.WaitForCacheSync(b.stop, pods.HasSynced) { // want blocking/certain "b.mu (locked at line 27) is held across cache.WaitForCacheSync, which may block forever waiting for the API server: (*Bad).Reset at bad.go:41 needs the same lock to close the stop channel; unlock first" @27 "b.mu is locked here" @41 "(*Bad).Reset needs the same lock here" @44 "and ends the wait only here"
		return errors.New("reset before the cache of pods had synced")
	}
	return nil
}

// Reset stops the informers.
func (b *Bad) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stop != nil {
		close(b.stop)
		b.stop = nil
	}
}
