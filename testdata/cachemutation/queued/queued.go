// Package queued gives its functions to a queue of another package.
package queued

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/operators/cachemutation/helper"
	"example.com/operators/cachemutation/queue"
)

type operator struct{ name string }

func (o *operator) start(namespaces, others cache.SharedIndexInformer) []*queue.Queue {
	q := queue.New(namespaces, o.syncNamespace, func(obj any) {
		ns, ok := obj.(*corev1.Namespace)
		if ok {
			ns.Finalizers = nil // want param "this writes Finalizers of the Namespace that a cache still holds, given to this function through queue.New: all who read it there see the change, until the server sends another one; change a DeepCopy"
		}
	})
	q.Syncer = syncer{}
	return []*queue.Queue{
		q, o.queue(namespaces, o.syncThrough), queue.NewCopying(others, syncCopy, syncBoth),
	}
}

// queue hands on the function.
func (o *operator) queue(informer cache.SharedIndexInformer, handler queue.Handler) *queue.Queue {
	return queue.New(informer, handler, nil)
}

func (o *operator) syncNamespace(obj any) error {
	ns, ok := obj.(*corev1.Namespace)
	if !ok {
		return nil
	}
	next := ns.DeepCopy()
	next.Labels["a"] = o.name // ok: of the copy
	ns.Labels["a"] = o.name   // want param "this writes an entry of Labels of the Namespace that a cache still holds, given to this function through queue.New: all who read it there see the change, until the server sends another one; change a DeepCopy"
	return nil
}

func (o *operator) syncThrough(obj any) error {
	ns := obj.(*corev1.Namespace)
	ns.Spec = corev1.NamespaceSpec{} // want param "this writes Spec of the Namespace that a cache still holds, given to this function through queue.New: all who read it there see the change, until the server sends another one; change a DeepCopy"
	return nil
}

func syncCopy(obj any) { obj.(*corev1.Namespace).Labels["a"] = "b" } // ok: it is given copies

func syncBoth(obj any) { obj.(*corev1.Namespace).Labels["a"] = "b" } // ok: it may be given a copy

type syncer struct{}

func (syncer) Sync(obj any) error {
	obj.(*corev1.Namespace).Labels["a"] = "b" // want param "this writes an entry of Labels of the Namespace that a cache still holds, given to this function through queue.Syncer.Sync: all who read it there see the change, until the server sends another one; change a DeepCopy"
	return nil
}

func (syncer) Seen(obj any) { obj.(*corev1.Namespace).Labels["a"] = "b" } // ok: it may be given a copy

func mark(lister listers.NodeLister) error {
	return queue.Each(lister, func(node *corev1.Node) { helper.Annotate(node, "a") }) // want callee "Annotate (helper.go:14) writes an entry of Annotations of the Node that a cache still holds, given to this function through queue.Each: all who read it there see the change, until the server sends another one; change a DeepCopy"
}

func markCopies(nodes []*corev1.Node) {
	var copies []*corev1.Node
	for _, node := range nodes {
		copies = append(copies, node.DeepCopy())
	}
	queue.EachOf(copies, func(node *corev1.Node) { helper.Annotate(node, "a") }) // ok: of the copies
}
