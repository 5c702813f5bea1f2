package synced

import (
	"errors"
	"sync"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Good has the informers of a cluster.
type Good struct {
	client kubernetes.Interface

	mu      sync.Mutex
	stop    chan struct{} // nil while nothing runs
	factory informers.SharedInformerFactory
}

// NewGood has informers that do not run.
func NewGood(client kubernetes.Interface) *Good { return &Good{client: client} }

// Start runs the informers and waits for their caches. Reset ends both.
func (g *Good) Start() error {
	factory := informers.NewSharedInformerFactory(g.client, 0)
	pods := factory.Core().V1().Pods().Informer()
	stop := make(chan struct{})

	g.mu.Lock()
	g.factory, g.stop = factory, stop
	g.factory.Start(stop)
	g.mu.Unlock()

	if !cache.WaitForCacheSync(stop, pods.HasSynced) {
		return errors.New("reset before the cache of pods had synced")
	}
	return nil
}

// Reset stops the informers.
func (g *Good) Reset() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stop != nil {
		close(g.stop)
		g.stop = nil
	}
}
