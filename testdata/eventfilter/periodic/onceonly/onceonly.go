// Package onceonly queues all objects once, and does something else after each period.
package onceonly

import (
	"context"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	listers "k8s.io/client-go/listers/networking/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type controller struct {
	lister listers.IngressLister
	queue  workqueue.TypedInterface[string]
	zones  map[string]int
}

func (c *controller) watch(informer cache.SharedInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, cur any) { // nothing looks at it again // want metadata `this update handler drops updates of *v1.Ingress that change only annotations, but (*controller).count reads the annotation "example.com/zone" at onceonly.go:61: setting it triggers no reconcile; let them through` @61 "the annotation is read here"
			if old.(*networkingv1.Ingress).Generation == cur.(*networkingv1.Ingress).Generation {
				return
			}
			c.enqueue(cur.(*networkingv1.Ingress))
		},
	})
}

func (c *controller) enqueue(ing *networkingv1.Ingress) {
	if key, err := cache.MetaNamespaceKeyFunc(ing); err == nil {
		c.queue.Add(key)
	}
}

func (c *controller) run(ctx context.Context) {
	go wait.UntilWithContext(ctx, c.worker, time.Second)
	c.enqueueAll()
	go wait.Until(c.report, time.Minute, ctx.Done())
	go wait.Until(func() { c.queue.Add("") }, time.Minute, ctx.Done())
	<-ctx.Done()
}

func (c *controller) worker(ctx context.Context) {
	for {
		key, quit := c.queue.Get()
		if quit {
			return
		}
		namespace, name, _ := cache.SplitMetaNamespaceKey(key)
		if ing, err := c.lister.Ingresses(namespace).Get(name); err == nil {
			c.count(ing)
		}
		c.queue.Done(key)
	}
}

func (c *controller) count(ing *networkingv1.Ingress) { c.zones[ing.Annotations["example.com/zone"]]++ }

func (c *controller) enqueueAll() {
	all, err := c.lister.List(labels.Everything())
	if err != nil {
		return
	}
	for _, ing := range all {
		c.enqueue(ing)
	}
}

func (c *controller) report() {
	if all, err := c.lister.List(labels.Everything()); err == nil {
		c.zones[""] = len(all)
	}
}

var _ = []any{(*controller).watch, (*controller).run}
