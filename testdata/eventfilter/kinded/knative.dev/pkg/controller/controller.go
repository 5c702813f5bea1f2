// Package controller has controllers as Knative has them.
package controller

import (
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// An Impl has the queue of a controller.
type Impl struct {
	Name  string
	queue workqueue.TypedRateLimitingInterface[string]
}

// New makes one.
func New(name string) *Impl {
	return &Impl{name, workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
}

// Enqueue adds the key of the object.
func (i *Impl) Enqueue(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		i.queue.Add(key)
	}
}

// HandleAll has one function for all events.
func HandleAll(h func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: h, UpdateFunc: func(_, obj any) { h(obj) }, DeleteFunc: h}
}
