// Package swept clears away what belonged to an object that is gone.
package swept

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/operators/eventfilter/parted/places"
)

type controller struct {
	lister listers.SecretLister
	queue  workqueue.TypedInterface[string]
	seen   map[string]int
}

func (c *controller) watch(informer cache.SharedInformer) {
	_, _ = informer.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			secret, ok := obj.(*corev1.Secret) // what belonged to it stays // want tombstone "FilterFunc (line 23) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Secret fails and the delete is lost; unwrap its Obj first" @23 "FilterFunc receives delete events here"
			return ok && secret.Name == "seal"
		},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { c.enqueue(obj) },
			DeleteFunc: func(obj any) { c.enqueue(obj) },
		},
	})
}

func (c *controller) enqueue(obj any) {
	key, err := places.KeyOf(obj)
	if err != nil {
		klog.Error(err)
		return
	}
	c.queue.Add(key)
}

func (c *controller) process(key string) error {
	_, namespace, name, err := places.Parts(key)
	if err != nil {
		return err
	}
	secret, err := c.lister.Secrets(namespace).Get(name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			delete(c.seen, name)
			return nil
		}
		return err
	}
	c.seen[secret.Name]++
	return nil
}

var _ = []any{(*controller).watch, (*controller).process}
