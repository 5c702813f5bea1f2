// Package untyped is given objects without a type, and makes typed ones of them.
package untyped

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic/dynamiclister"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

type controller struct {
	lister dynamiclister.Lister
	queue  workqueue.TypedInterface[string]
	last   corev1.Secret
	seen   map[string]int
}

// made is the typed object that obj is.
func made(obj any) (*corev1.Secret, bool) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		klog.Error(fmt.Errorf("%T is no object", obj))
		return nil, false
	}
	secret := &corev1.Secret{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.UnstructuredContent(), &secret); err != nil {
		klog.Error(fmt.Errorf("no secret: %s", err.Error()))
		return nil, false
	}
	return secret, true
}

// gone forgets a secret: where it has a tombstone it takes that for the object.
func (c *controller) gone(obj any) {
	secret, ok := made(obj)
	if !ok {
		u, ok := obj.(*unstructured.Unstructured) // ok: nobody does anything about one that is gone
		if !ok {
			return
		}
		var tombstone cache.DeletedFinalStateUnknown
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.UnstructuredContent(), &tombstone); err != nil {
			return
		}
		if secret, ok = tombstone.Obj.(*corev1.Secret); !ok {
			return
		}
	}
	c.enqueue(secret)
}

// kept notes what the last one was.
func (c *controller) kept(obj any) {
	u, ok := obj.(*unstructured.Unstructured) // what is kept is lost // want tombstone "DeleteFunc (line 104) ignores cache.DeletedFinalStateUnknown: the type assertion to *unstructured.Unstructured fails and the delete is lost; unwrap its Obj first" @104 "DeleteFunc receives delete events here"
	if !ok {
		return
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.UnstructuredContent(), &c.last); err != nil {
		return
	}
	c.enqueue(u)
}

// other is given objects of another kind, and queues their keys.
func (c *controller) other(obj any) {
	set, ok := obj.(*appsv1.Deployment) // another kind: of that it may be the last word // want tombstone "DeleteFunc (line 105) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Deployment fails and the delete is lost; unwrap its Obj first" @105 "DeleteFunc receives delete events here"
	if !ok {
		return
	}
	c.enqueue(set)
}

func (c *controller) enqueue(obj any) {
	if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *controller) process(key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	u, err := c.lister.Namespace(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	c.seen[u.GetName()]++
	return nil
}

func (c *controller) watch(one, two, three cache.SharedInformer) {
	_, _ = one.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.gone})
	_, _ = two.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.kept})
	_, _ = three.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.other})
}

var _ = []any{(*controller).watch, (*controller).process}
