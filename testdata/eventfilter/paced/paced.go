// Package paced has handlers that wake a controller which wakes by itself after a time, or does not.
package paced

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/operators/eventfilter/paced/library-go/pkg/controller/factory"
)

func sync(context.Context, factory.SyncContext) error { return nil }

func everyMinute(maps cache.SharedInformer) *factory.Factory {
	syncs := factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // ok: it wakes every minute
			syncs.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(time.Minute).WithSyncContext(syncs).WithSync(sync)
}

func everyHour(maps cache.SharedInformer) *factory.Factory {
	syncs := factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // ok: it wakes every hour
			syncs.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().WithSyncContext(syncs).WithSync(sync).ResyncEvery(time.Hour)
}

func never(maps cache.SharedInformer) *factory.Factory {
	syncs := factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // want tombstone "DeleteFunc (line 45) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not v1.Object" @45 "DeleteFunc is called for deletions here"
			syncs.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(0).WithSyncContext(syncs).WithSync(sync)
}

func another(maps cache.SharedInformer) *factory.Factory {
	syncs, others := factory.NewSyncContext(), factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // want tombstone "DeleteFunc (line 56) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not v1.Object" @56 "DeleteFunc is called for deletions here"
			others.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(time.Minute).WithSyncContext(syncs).WithSync(sync)
}

func byName(maps cache.SharedInformer) *factory.Factory {
	syncs := factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok { // want tombstone "DeleteFunc (line 67) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not v1.Object" @67 "DeleteFunc is called for deletions here"
			syncs.Queue().Add(o.GetName())
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(time.Minute).WithSyncContext(syncs).WithSync(sync)
}
