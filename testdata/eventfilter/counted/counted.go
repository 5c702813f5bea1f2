// Package counted has handlers that count what they hear of, and give the object to what queues its key: of what kind it is, the informer says.
package counted

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.com/operators/eventfilter/counted/answers"
)

// counter is somebody's.
type counter interface{ Inc() }

// gardener does nothing about nodes that are gone.
type gardener struct {
	queue workqueue.TypedInterface[string]
	nodes corelisters.NodeLister
	gone  counter
}

func (g *gardener) start(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: g.enqueue,
		DeleteFunc: func(obj any) {
			g.gone.Inc()
			g.enqueue(obj)
		},
	})
}

func (g *gardener) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // ok: the deletion is counted, and the key is of no use
	if err == nil {
		g.queue.Add(key)
	}
}

func (g *gardener) sync(key string) error {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	node, err := g.nodes.Get(name)
	if err != nil {
		if answers.IsGone(err) {
			return nil
		}
		return err
	}
	return water(node)
}

func water(*corev1.Node) error { return nil }

// teller counts behind the key.
type teller struct {
	queue workqueue.TypedInterface[string]
	nodes corelisters.NodeLister
	gone  counter
}

func (c *teller) start(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		DeleteFunc: func(obj any) { c.enqueue(obj) },
	})
}

func (c *teller) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // want tombstone "DeleteFunc (line 70) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @70 "DeleteFunc receives delete events here"
	if err != nil {
		return
	}
	c.gone.Inc()
	c.queue.Add(key)
}

func (c *teller) sync(key string) (time.Duration, error) {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return 0, err
	}
	node, err := c.nodes.Get(name)
	if err != nil {
		return answers.UnlessGone(err)
	}
	return 0, water(node)
}

// waiter leaves it to a function of another package what to do about the error.
type waiter struct {
	queue workqueue.TypedInterface[string]
	nodes corelisters.NodeLister
	gone  counter
}

func (w *waiter) start(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: w.enqueue,
		DeleteFunc: func(obj any) {
			w.gone.Inc()
			w.enqueue(obj)
		},
	})
}

func (w *waiter) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // ok: no node, no error
	if err == nil {
		w.queue.Add(key)
	}
}

func (w *waiter) sync(key string) (time.Duration, error) {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return 0, err
	}
	node, err := w.nodes.Get(name)
	if err != nil {
		return answers.UnlessGone(err)
	}
	return 0, water(node)
}

// keeper takes away what belonged to a node that is gone.
type keeper struct {
	queue workqueue.TypedInterface[string]
	nodes corelisters.NodeLister
	gone  counter
}

func (k *keeper) start(factory informers.SharedInformerFactory) {
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: k.enqueue,
		DeleteFunc: func(obj any) {
			k.gone.Inc()
			k.enqueue(obj)
		},
	})
}

func (k *keeper) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // want tombstone "DeleteFunc (line 141) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @141 "DeleteFunc receives delete events here"
	if err == nil {
		k.queue.Add(key)
	}
}

func (k *keeper) sync(key string) error {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	node, err := k.nodes.Get(name)
	if answers.IsGone(err) {
		return drain(name)
	}
	if err != nil {
		return err
	}
	return water(node)
}

func drain(string) error { return nil }

// either hears of two kinds.
type either struct {
	queue workqueue.TypedInterface[string]
	nodes corelisters.NodeLister
	gone  counter
}

func (e *either) start(factory informers.SharedInformerFactory) {
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc: e.enqueue,
		DeleteFunc: func(obj any) {
			e.gone.Inc()
			e.enqueue(obj)
		},
	}
	_, _ = factory.Core().V1().Namespaces().Informer().AddEventHandler(handler)
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(handler)
}

func (e *either) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // want tombstone "DeleteFunc (line 182) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @182 "DeleteFunc receives delete events here"
	if err == nil {
		e.queue.Add(key)
	}
}

func (e *either) sync(key string) error {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	node, err := e.nodes.Get(name)
	if answers.IsGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return water(node)
}
