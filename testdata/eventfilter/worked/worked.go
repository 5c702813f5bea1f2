// Package worked hands objects to workers of another package.
package worked

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/operators/eventfilter/worked/async"
)

// A binder does nothing about nodes that are gone.
type binder struct {
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (b *binder) start(factory informers.SharedInformerFactory) {
	b.worker = async.NewWorker(async.Options{Name: "binder", Key: func(obj any) (string, error) { return cache.MetaNamespaceKeyFunc(obj) }, Process: b.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: b.added, UpdateFunc: b.updated, DeleteFunc: b.deleted})
}

func (b *binder) added(obj any) {
	o, ok := obj.(runtime.Object)
	if !ok {
		return
	}
	b.worker.Enqueue(o)
}

func (b *binder) updated(_, obj any) {
	o, ok := obj.(runtime.Object)
	if !ok {
		klog.Error("no object")
		return
	}
	b.worker.Enqueue(o)
}

func (b *binder) deleted(obj any) {
	o, ok := obj.(runtime.Object)
	if !ok { // ok: who works it off returns where there is no node
		return
	}
	b.worker.Enqueue(o)
}

func (b *binder) process(key string) error {
	defer klog.Info("done")
	node, err := b.nodes.Get(key)
	if err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
	return use(node)
}

// A failing one comes to its error, and no further.
type failing struct {
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (f *failing) start(factory informers.SharedInformerFactory) {
	f.worker = async.NewWorker(async.Options{Process: f.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: f.updated, DeleteFunc: f.deleted})
}

func (f *failing) updated(_, obj any) { f.deleted(obj) }

func (f *failing) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok { // ok: a node that is gone is an error, again and again
		f.worker.Enqueue(o)
	}
}

func (f *failing) process(key string) error {
	node, err := f.nodes.Get(key)
	if err != nil {
		return fmt.Errorf("node %s: %w", key, err)
	}
	return use(node)
}

// A releasing one takes away what belonged to a node that is gone.
type releasing struct {
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (r *releasing) start(factory informers.SharedInformerFactory) {
	r.worker = async.NewWorker(async.Options{Process: r.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: r.updated, DeleteFunc: r.deleted})
}

func (r *releasing) updated(_, obj any) {
	if o, ok := obj.(runtime.Object); ok {
		r.worker.Enqueue(o)
	}
}

func (r *releasing) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok { // want tombstone "DeleteFunc (line 102) ignores cache.DeletedFinalStateUnknown: the type assertion to runtime.Object fails and the delete is lost; unwrap its Obj first" @102 "DeleteFunc receives delete events here"
		r.worker.Enqueue(o)
	}
}

func (r *releasing) process(key string) error {
	node, err := r.nodes.Get(key)
	if apierrors.IsNotFound(err) {
		return release(key)
	}
	if err != nil {
		return err
	}
	return use(node)
}

func use(node *corev1.Node) error { return fmt.Errorf("no use for %s", node.Name) }

func release(key string) error { return fmt.Errorf("%s is kept", key) }

// A hermit knows one node, whatever the key is.
type hermit struct {
	name   string
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (h *hermit) start(factory informers.SharedInformerFactory) {
	h.worker = async.NewWorker(async.Options{Process: h.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			node, ok := obj.(*corev1.Node) // ok: without its node it comes to an error, and no further
			return ok && node.Name == h.name
		},
		Handler: cache.ResourceEventHandlerFuncs{UpdateFunc: h.updated, DeleteFunc: h.deleted},
	})
}

func (h *hermit) updated(_, obj any) { h.deleted(obj) }

func (h *hermit) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok {
		h.worker.Enqueue(o)
	}
}

func (h *hermit) process(string) error {
	node, err := h.nodes.Get(h.name)
	if err != nil {
		return err
	}
	return use(node)
}

// A widow does something without her node.
type widow struct {
	name   string
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (w *widow) start(factory informers.SharedInformerFactory) {
	w.worker = async.NewWorker(async.Options{Process: w.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			node, ok := obj.(*corev1.Node) // want tombstone "FilterFunc (line 176) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @176 "FilterFunc receives delete events here"
			return ok && node.Name == w.name
		},
		Handler: cache.ResourceEventHandlerFuncs{UpdateFunc: w.updated, DeleteFunc: w.deleted},
	})
}

func (w *widow) updated(_, obj any) { w.deleted(obj) }

func (w *widow) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok {
		w.worker.Enqueue(o)
	}
}

func (w *widow) process(string) error {
	node, err := w.nodes.Get(w.name)
	if apierrors.IsNotFound(err) {
		return release(w.name)
	}
	if err != nil {
		return err
	}
	return use(node)
}

// A heap has queues: one that nobody takes anything out of, one that somebody does, and one that others may.
type heap struct {
	idle, busy workqueue.TypedInterface[string]
	Lent       workqueue.TypedInterface[string]
	given      workqueue.TypedInterface[string]
}

func newHeap(pods cache.SharedIndexInformer) *heap {
	h := &heap{idle: workqueue.NewTyped[string](), busy: workqueue.NewTyped[string](), Lent: workqueue.NewTyped[string](), given: workqueue.NewTyped[string]()}
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // ok: nobody ever asks for it
			h.idle.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 217) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @217 "DeleteFunc receives delete events here"
			h.busy.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 222) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @222 "DeleteFunc receives delete events here"
			h.Lent.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 227) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @227 "DeleteFunc receives delete events here"
			h.given.Add("pod " + pod.Name)
		}
	}})
	return h
}

func (h *heap) run(work func(string), worker func(workqueue.TypedInterface[string])) {
	defer h.idle.ShutDown()
	go worker(h.given)
	for {
		name, shutdown := h.busy.Get()
		if shutdown {
			return
		}
		work(name)
		h.busy.Done(name)
	}
}

// A tail fills a queue that somebody else has, too.
type tail struct {
	names workqueue.TypedInterface[string]
}

func newTail(pods cache.SharedIndexInformer, worker func(workqueue.TypedInterface[string])) *tail {
	names := workqueue.NewTyped[string]()
	t := &tail{names: names}
	go worker(names)
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 257) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Pod fails and the delete is lost; unwrap its Obj first" @257 "DeleteFunc receives delete events here"
			t.names.Add("pod " + pod.Name)
		}
	}})
	return t
}
