package fetchjobs

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"
)

// pendingPods are Pods that were created and that the informer has not shown.
type pendingPods struct {
	mu     sync.RWMutex
	source map[string]sets.Set[string]
}

func newPendingPods() *pendingPods {
	return &pendingPods{source: map[string]sets.Set[string]{}}
}

func (p *pendingPods) ExpectPod(key, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.source[key] == nil {
		p.source[key] = sets.New[string]()
	}
	p.source[key].Insert(name)
}

func (p *pendingPods) ObservePod(key, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if names, ok := p.source[key]; ok {
		names.Delete(name)
	}
}

func (p *pendingPods) Satisfied(key string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.source[key].Len() == 0
}

func (p *pendingPods) ForgetSource(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.source, key)
}
