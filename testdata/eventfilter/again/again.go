// Package again has handlers that queue the key of something else, which comes again after a time or not, and handlers that no informer calls.
package again

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const resync = 10 * time.Minute

func ownerOf(pod corev1.PodSpec) (string, error) { return pod.ServiceAccountName, nil }

// garden hears of all its accounts again after a time.
type garden struct {
	queue    workqueue.TypedInterface[string]
	accounts corelisters.ServiceAccountLister
}

func (g *garden) start(accounts, pods cache.SharedIndexInformer) {
	_, _ = accounts.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{AddFunc: g.account, UpdateFunc: func(_, obj any) { g.account(obj) }}, resync)
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: g.podGone})
}

func (g *garden) account(obj any) {
	if a, ok := obj.(*corev1.ServiceAccount); ok {
		g.enqueue(a)
	}
}

func (g *garden) enqueue(a *corev1.ServiceAccount) {
	key, err := cache.MetaNamespaceKeyFunc(a)
	if err == nil {
		g.queue.Add(key)
	}
}

func (g *garden) podGone(obj any) {
	pod, ok := obj.(*corev1.Pod) // ok: its account comes again
	if !ok {
		return
	}
	name, err := ownerOf(pod.Spec)
	if err != nil {
		return
	}
	a, err := g.accounts.ServiceAccounts(pod.Namespace).Get(name)
	if err != nil {
		return
	}
	g.enqueue(a)
}

// field hears of them once.
type field struct {
	queue    workqueue.TypedInterface[string]
	accounts corelisters.ServiceAccountLister
}

func (f *field) start(accounts, pods cache.SharedIndexInformer) {
	_, _ = accounts.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{AddFunc: f.account, UpdateFunc: func(_, obj any) { f.account(obj) }}, 0)
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: f.podGone})
}

func (f *field) account(obj any) {
	if a, ok := obj.(*corev1.ServiceAccount); ok {
		f.enqueue(a)
	}
}

func (f *field) enqueue(a *corev1.ServiceAccount) {
	key, err := cache.MetaNamespaceKeyFunc(a)
	if err == nil {
		f.queue.Add(key)
	}
}

func (f *field) podGone(obj any) {
	pod, ok := obj.(*corev1.Pod) // want tombstone "DeleteFunc (line 65) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @65 "DeleteFunc receives delete events here"
	if !ok {
		return
	}
	if a, err := f.accounts.ServiceAccounts(pod.Namespace).Get(pod.Spec.ServiceAccountName); err == nil {
		f.enqueue(a)
	}
}

// watcher calls its handlers itself, with what is in tombstones.
type watcher struct{ handlers []cache.ResourceEventHandler }

func (w *watcher) add(h cache.ResourceEventHandler) { w.handlers = append(w.handlers, h) }

func (w *watcher) deleted(obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	for _, h := range w.handlers {
		h.OnDelete(obj)
	}
}

// adder is somebody's.
type adder interface {
	Add(h cache.ResourceEventHandler)
}

type tally struct{ pods map[string]bool }

func (t *tally) start(w *watcher, a adder, informer cache.SharedInformer) {
	w.add(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { delete(t.pods, obj.(*corev1.Pod).Name) }, // ok: the watcher unwraps
	})
	a.Add(cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { delete(t.pods, obj.(*corev1.Pod).Name) }, // ok: nobody knows who calls it
	})
	t.register(informer, cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(obj any) { delete(t.pods, obj.(*corev1.Pod).Name) }, // want tombstone "DeleteFunc (line 120) panics on cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails; unwrap its Obj first" @120 "DeleteFunc receives delete events here"
	})
}

// register hands h to an informer.
func (t *tally) register(informer cache.SharedInformer, h cache.ResourceEventHandler) {
	_, _ = informer.AddEventHandler(h)
}
