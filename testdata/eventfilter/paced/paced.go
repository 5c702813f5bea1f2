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
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // want tombstone "DeleteFunc (line 45) ignores cache.DeletedFinalStateUnknown: the type assertion to v1.Object fails and the delete is lost; unwrap its Obj first" @45 "DeleteFunc receives delete events here"
			syncs.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(0).WithSyncContext(syncs).WithSync(sync)
}

func another(maps cache.SharedInformer) *factory.Factory {
	syncs, others := factory.NewSyncContext(), factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok && o.GetName() == "ca" { // want tombstone "DeleteFunc (line 56) ignores cache.DeletedFinalStateUnknown: the type assertion to v1.Object fails and the delete is lost; unwrap its Obj first" @56 "DeleteFunc receives delete events here"
			others.Queue().Add(factory.DefaultQueueKey)
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(time.Minute).WithSyncContext(syncs).WithSync(sync)
}

func byName(maps cache.SharedInformer) *factory.Factory {
	syncs := factory.NewSyncContext()
	wake := func(obj any) {
		if o, ok := obj.(metav1.Object); ok { // want tombstone "DeleteFunc (line 67) ignores cache.DeletedFinalStateUnknown: the type assertion to v1.Object fails and the delete is lost; unwrap its Obj first" @67 "DeleteFunc receives delete events here"
			syncs.Queue().Add(o.GetName())
		}
	}
	_, _ = maps.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: wake, DeleteFunc: wake})
	return factory.New().ResyncEvery(time.Minute).WithSyncContext(syncs).WithSync(sync)
}
