// Package named queues the names of objects without namespaces, by a function that asserts no type.
package named

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

type nodes struct {
	lister corelisters.NodeLister
	queue  workqueue.TypedRateLimitingInterface[string]
	seen   map[string]string
}

func (n *nodes) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj) // ok: a node that is gone needs nothing
	if err != nil {
		klog.ErrorS(err, "no key")
		return
	}
	n.queue.Add(key)
}

func (n *nodes) watch(informer cache.SharedIndexInformer) {
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: n.enqueue,
		UpdateFunc: func(was, is any) {
			if was.(*corev1.Node).ResourceVersion != is.(*corev1.Node).ResourceVersion {
				n.enqueue(is)
			}
		},
		DeleteFunc: n.enqueue,
	})
}

func (n *nodes) sync(name string) error {
	node, err := n.lister.Get(name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			klog.InfoS("it is gone", "node", name)
			return nil
		}
		return err
	}
	n.seen[name] = node.ResourceVersion
	return nil
}

var _ = []any{(*nodes).watch, (*nodes).sync}
