// Package remote keeps informers of member clusters.
package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Cluster is one member, whose informers run until Close.
type Cluster struct {
	Nodes corelisters.NodeLister

	endpoint string
	stop     chan struct{}
	closing  sync.Once
}

// Close ends the informers; it may be called more than once.
func (c *Cluster) Close() { c.closing.Do(func() { close(c.stop) }) }

// Fleet has the members by name.
type Fleet struct {
	Dial func(endpoint string) (kubernetes.Interface, error)
	Wait time.Duration

	mu      sync.Mutex
	members map[string]*Cluster
}

// Member gives the cluster of the name, and joins it if it is new or has moved.
func (f *Fleet) Member(ctx context.Context, name, endpoint string) (*Cluster, error) {
	f.mu.Lock()
	c, ok := f.members[name]
	f.mu.Unlock()
	if ok && c.endpoint == endpoint {
		return c, nil
	}
	joined, err := f.join(ctx, endpoint)
	if err != nil {
		return nil, fmt.Errorf("joining %s: %w", name, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.members == nil {
		f.members = map[string]*Cluster{}
	}
	if old, ok := f.members[name]; ok {
		old.Close()
	}
	f.members[name] = joined
	return joined, nil
}

// Forget leaves the cluster of the name.
func (f *Fleet) Forget(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.members[name]; ok {
		c.Close()
		delete(f.members, name)
	}
}

func (f *Fleet) join(ctx context.Context, endpoint string) (*Cluster, error) {
	kube, err := f.Dial(endpoint)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(kube, 0)
	c := &Cluster{endpoint: endpoint, stop: make(chan struct{}), Nodes: factory.Core().V1().Nodes().Lister()}
	factory.Start(c.stop)

	timer := time.AfterFunc(f.Wait, c.Close)
	release := context.AfterFunc(ctx, c.Close)
	for kind, ok := range factory.WaitForCacheSync(c.stop) {
		if !ok {
			release()
			timer.Stop()
			c.Close()
			return nil, fmt.Errorf("the cache of %v did not sync", kind)
		}
	}
	if !timer.Stop() || !release() {
		return nil, fmt.Errorf("gave up after %s", f.Wait)
	}
	return c, nil
}
