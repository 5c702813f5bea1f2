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
	if o, ok := obj.(runtime.Object); ok { // want tombstone "DeleteFunc (line 101) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not runtime.Object" @101 "DeleteFunc is called for deletions here"
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

// A telling one does more about deletions than about updates.
type telling struct {
	nodes  corelisters.NodeLister
	worker async.Worker
	gone   async.Worker
}

func (t *telling) start(factory informers.SharedInformerFactory) {
	t.worker = async.NewWorker(async.Options{Process: t.process})
	t.gone = async.NewWorker(async.Options{Process: t.process})
	_, _ = factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: t.updated, DeleteFunc: t.deleted})
}

func (t *telling) updated(_, obj any) {
	if o, ok := obj.(runtime.Object); ok {
		t.worker.Enqueue(o)
	}
}

func (t *telling) deleted(obj any) {
	if o, ok := obj.(runtime.Object); ok { // want tombstone "DeleteFunc (line 137) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not runtime.Object" @137 "DeleteFunc is called for deletions here"
		t.gone.Enqueue(o)
	}
}

func (t *telling) process(key string) error {
	node, err := t.nodes.Get(key)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return use(node)
}

func use(node *corev1.Node) error { return fmt.Errorf("no use for %s", node.Name) }

func release(key string) error { return fmt.Errorf("%s is kept", key) }
