package batchrunner

import (
	"sync"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
)

type count struct {
	adds int
	at   time.Time
}

// ExpectationCache counts creations by the key of the run.
type ExpectationCache struct {
	lock sync.Mutex
	byID map[string]*count
}

func (e *ExpectationCache) ExpectCreations(key string, n int) {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.byID[key] = &count{adds: n, at: time.Now()}
}

func (e *ExpectationCache) CreationObserved(key string) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if c, ok := e.byID[key]; ok {
		c.adds--
	}
}

func (e *ExpectationCache) SatisfiedExpectations(key string) bool {
	e.lock.Lock()
	defer e.lock.Unlock()
	c, ok := e.byID[key]
	return !ok || c.adds <= 0 || time.Since(c.at) > timeout
}

func (e *ExpectationCache) DeleteExpectations(key string) {
	e.lock.Lock()
	defer e.lock.Unlock()
	delete(e.byID, key)
}

func newRunner(kube kubernetes.Interface, f informers.SharedInformerFactory, events record.EventRecorder) (*runner, error) {
	r := &runner{
		kube:     kube,
		jobs:     f.Batch().V1().Jobs().Lister(),
		pods:     f.Core().V1().Pods().Lister(),
		expected: &ExpectationCache{byID: map[string]*count{}},
		events:   events,
	}
	_, err := f.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: r.onPod})
	return r, err
}
