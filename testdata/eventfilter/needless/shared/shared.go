// Package shared queues the keys of objects of two kinds by one function, and looks at one kind only.
package shared

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type claims struct {
	lister corelisters.PersistentVolumeClaimLister
	queue  workqueue.TypedRateLimitingInterface[string]
	seen   map[string]string
}

func (c *claims) enqueue(obj any) {
	if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil { // want tombstone "DeleteFunc (line 27) ignores cache.DeletedFinalStateUnknown: cache.MetaNamespaceKeyFunc fails and the delete is lost; use cache.DeletionHandlingMetaNamespaceKeyFunc" @27 "DeleteFunc receives delete events here"
		c.queue.Add(key)
	}
}

func (c *claims) watch(claims, pods cache.SharedIndexInformer) {
	_, _ = claims.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, is any) { c.enqueue(is.(*corev1.PersistentVolumeClaim)) },
		DeleteFunc: c.enqueue,
	})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, is any) { c.enqueue(is.(*corev1.Pod)) },
		DeleteFunc: c.enqueue,
	})
}

func (c *claims) sync(key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	claim, err := c.lister.PersistentVolumeClaims(namespace).Get(name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	c.seen[key] = claim.ResourceVersion
	return nil
}

var _ = []any{(*claims).watch, (*claims).sync}
