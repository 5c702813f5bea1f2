// Package worked does for all objects again after each period what its worker does.
package worked

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
		UpdateFunc: func(old, cur any) { // ok: the next round sees it
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
	go wait.JitterUntil(c.countAll, time.Minute, 0.1, true, ctx.Done())
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

func (c *controller) countAll() {
	all, err := c.lister.List(labels.Everything())
	if err != nil {
		return
	}
	for _, ing := range all {
		c.count(ing)
	}
}

var _ = []any{(*controller).watch, (*controller).run}
