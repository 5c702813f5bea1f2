package built

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

func wanted(obj any) bool {
	secret, ok := obj.(*corev1.Secret) // ok: the sync of one that is gone does nothing
	return ok && secret.Type == corev1.SecretTypeDockercfg
}

func wantedByOther(obj any) bool {
	secret, ok := obj.(*corev1.Secret) // want tombstone "FilterFunc (line 68) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Secret" @68 "FilterFunc is called for deletions here"
	return ok && secret.Type == corev1.SecretTypeDockercfg
}

// idle does nothing about what is gone.
type idle struct {
	queue   workqueue.TypedRateLimitingInterface[string]
	secrets corelisters.SecretLister
}

func (c *idle) register(inf cache.SharedIndexInformer) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: wanted,
		Handler: cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(_, obj any) {
				if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
			DeleteFunc: func(obj any) {
				if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
		},
	})
}

func (c *idle) sync(key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	secret, err := c.secrets.Secrets(ns).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return use(secret)
}

// busy makes what is gone again.
type busy struct {
	queue   workqueue.TypedRateLimitingInterface[string]
	secrets corelisters.SecretLister
}

func (c *busy) register(inf cache.SharedIndexInformer) {
	inf.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: wantedByOther,
		Handler: cache.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj any) {
				if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
		},
	})
}

func (c *busy) sync(key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	if _, err := c.secrets.Secrets(ns).Get(name); apierrors.IsNotFound(err) {
		return again(ns, name)
	}
	return nil
}

func use(*corev1.Secret) error    { return nil }
func again(ns, name string) error { return nil }

var _ = []any{(*idle).register, (*idle).sync, (*busy).register, (*busy).sync}
