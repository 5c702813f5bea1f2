// Package desk makes handlers, and queues what is in caches.
package desk

import (
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// All is a handler that does the same for all events.
func All(h func(any)) cache.ResourceEventHandler { // want All:"tombstone"
	return cache.ResourceEventHandlerFuncs{AddFunc: h, UpdateFunc: newer(h), DeleteFunc: h}
}

func newer(h func(any)) func(any, any) { return func(_, obj any) { h(obj) } }

// Gone is a handler that does something for deletions only.
func Gone(h func(any)) cache.ResourceEventHandler { // want Gone:"tombstone"
	return cache.ResourceEventHandlerFuncs{DeleteFunc: h}
}

// Named lets the objects of a name through.
func Named(name string) func(any) bool { // want Named:"tombstone"
	return func(obj any) bool {
		o, ok := obj.(interface{ GetName() string })
		return ok && o.GetName() == name
	}
}

// A Desk has a queue.
type Desk struct {
	Queue workqueue.TypedInterface[string]
}

// Relist queues all that the informer has.
func (d *Desk) Relist(i cache.SharedIndexInformer) {
	for _, key := range i.GetStore().ListKeys() {
		d.Queue.Add(key)
	}
}
