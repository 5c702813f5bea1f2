// Package ignored throws away what waits for caches say.
package ignored

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

type controller struct {
	factory informers.SharedInformerFactory
	pods    listers.PodLister
	synced  cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[string]
	stop    chan struct{}
}

func newController(f informers.SharedInformerFactory, stop chan struct{}) *controller {
	return &controller{factory: f, stop: stop}
}

func (c *controller) close() { close(c.stop) }

func (c *controller) reads(stop <-chan struct{}) ([]*corev1.Pod, error) {
	cache.WaitForCacheSync(stop, c.synced) // want ignoredresult "the result of cache.WaitForCacheSync is ignored: where the wait stops early, line 35 goes on to read c.pods with a cache that is not complete" @35 "goes on here"
	return c.pods.List(labels.Everything())
}

func (c *controller) readsLater(stop <-chan struct{}) {
	cache.WaitForCacheSync(stop, c.synced) // want ignoredresult "the result of cache.WaitForCacheSync is ignored: where the wait stops early, line 40 goes on to collect, which reads a lister with a cache that is not complete" @40 "goes on here"
	c.collect()
	<-stop
}

func (c *controller) collect() {
	pods, _ := c.pods.List(labels.Everything())
	for _, p := range pods {
		c.queue.Add(p.Name)
	}
}

func (c *controller) succeeds() error {
	c.factory.Start(c.stop)
	c.factory.WaitForCacheSync(c.stop) // want ignoredresult "the result of c.factory.WaitForCacheSync is ignored: where the wait stops early, (*controller).succeeds reports success with a cache that is not complete" @54 "goes on here"
	return nil
}

func lister(f informers.SharedInformerFactory, stop <-chan struct{}) listers.PodLister {
	l := f.Core().V1().Pods().Lister()
	f.Start(stop)
	f.WaitForCacheSync(stop) // want ignoredresult "the result of f.WaitForCacheSync is ignored: where the wait stops early, lister reports success with a cache that is not complete" @61 "goes on here"
	return l
}

func (c *controller) inTime(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cache.WaitForCacheSync(ctx.Done(), c.synced) // want ignoredresult "the result of cache.WaitForCacheSync is ignored: where the wait runs out of time, workers start with a cache that is not complete" @68 "goes on here"
	go c.work()
}

func (c *controller) work() {
	for {
		key, quit := c.queue.Get()
		if quit {
			return
		}
		c.queue.Done(key)
	}
}

func (c *controller) run(stop <-chan struct{}) {
	defer c.queue.ShutDown()
	cache.WaitForCacheSync(stop, c.synced) // ok: wait.Until does nothing once stop is closed
	go wait.Until(c.work, time.Second, stop)
	<-stop
}

func (c *controller) start(ctx context.Context) error {
	c.factory.Start(ctx.Done())
	c.factory.WaitForCacheSync(ctx.Done()) // ok: what comes next looks at ctx
	<-ctx.Done()
	return nil
}

func (c *controller) asks(ctx context.Context) error {
	cache.WaitForCacheSync(ctx.Done(), c.synced) // ok: it asks ctx
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

func (c *controller) asksAgain(stop <-chan struct{}) error {
	cache.WaitForCacheSync(stop, c.synced) // ok: it asks the cache
	if !c.synced() {
		return errors.New("not synced")
	}
	return nil
}

func (c *controller) endless() ([]*corev1.Pod, error) {
	cache.WaitForCacheSync(nil, c.synced) // want atstart "cache.WaitForCacheSync waits for an API server to answer and cannot be stopped: a nil channel never fires"
	return c.pods.List(labels.Everything())
}

func (c *controller) checks(stop <-chan struct{}) ([]*corev1.Pod, error) {
	if !cache.WaitForCacheSync(stop, c.synced) { // ok: the result counts
		return nil, errors.New("not synced")
	}
	return c.pods.List(labels.Everything())
}

func (c *controller) nothing(stop <-chan struct{}) {
	cache.WaitForCacheSync(stop, c.synced) // ok: nothing follows
}

func (c *controller) ready(stop <-chan struct{}) bool { return cache.WaitForCacheSync(stop, c.synced) }

func (c *controller) wrapped(stop <-chan struct{}) error {
	c.ready(stop) // want ignoredresult "the result of c.ready is ignored: where the wait stops early, (*controller).wrapped reports success with a cache that is not complete" @131 "goes on here"
	return nil
}

func (c *controller) logs(stop <-chan struct{}) ([]*corev1.Pod, error) {
	if !cache.WaitForCacheSync(stop, c.synced) { // want ignoredresult "the result of cache.WaitForCacheSync is only logged: where the wait stops early, line 138 goes on to read c.pods with a cache that is not complete" @138 "goes on here"
		klog.Errorf("not synced: %v", c.stop)
	}
	return c.pods.List(labels.Everything())
}

func (c *controller) logsAndLeaves(stop <-chan struct{}) ([]*corev1.Pod, error) {
	if !cache.WaitForCacheSync(stop, c.synced) { // ok: it leaves
		klog.Error("not synced")
		return nil, errors.New("not synced")
	}
	return c.pods.List(labels.Everything())
}

func (c *controller) logsAndStops(stop <-chan struct{}) ([]*corev1.Pod, error) {
	if !cache.WaitForCacheSync(stop, c.synced) { // ok: it does something about it
		klog.Error("not synced")
		c.queue.ShutDown()
	}
	return c.pods.List(labels.Everything())
}

func (c *controller) logsAndRemembers(stop <-chan struct{}) ([]*corev1.Pod, bool) {
	complete := true
	if !cache.WaitForCacheSync(stop, c.synced) { // ok: the caller is told
		klog.Error("not synced")
		complete = false
	}
	pods, _ := c.pods.List(labels.Everything())
	return pods, complete
}

func (c *controller) dies(stop <-chan struct{}) ([]*corev1.Pod, error) {
	if !cache.WaitForCacheSync(stop, c.synced) { // ok: the process ends
		klog.Fatal("not synced")
	}
	return c.pods.List(labels.Everything())
}
