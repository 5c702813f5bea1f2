package worked

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/operators/eventfilter/worked/async"
)

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
			node, ok := obj.(*corev1.Node) // want tombstone "FilterFunc (line 58) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Node" @58 "FilterFunc is called for deletions here"
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

// A guest looks for the one node, and does something with the key that it is called with.
type guest struct {
	name   string
	nodes  corelisters.NodeLister
	worker async.Worker
}

func (g *guest) start(factory informers.SharedInformerFactory) {
	g.worker = async.NewWorker(async.Options{Process: g.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			node, ok := obj.(*corev1.Node) // want tombstone "FilterFunc (line 95) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Node" @95 "FilterFunc is called for deletions here"
			return ok && node.Name != g.name
		},
		Handler: cache.ResourceEventHandlerFuncs{UpdateFunc: g.updated, DeleteFunc: g.deleted},
	})
}

func (g *guest) updated(_, obj any) { g.deleted(obj) }

func (g *guest) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok {
		g.worker.Enqueue(o)
	}
}

func (g *guest) process(key string) error {
	node, err := g.nodes.Get(g.name)
	if err != nil {
		return err
	}
	_ = release(key)
	return use(node)
}
