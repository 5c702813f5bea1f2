// Package queue calls functions of other packages with what its informers have.
package queue

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// A Handler is called for each object.
type Handler func(obj any) error

// Queue has the keys of objects.
type Queue struct {
	keys     chan string
	informer cache.SharedIndexInformer
	handler  Handler
	Syncer   Syncer
	failed   func(obj any)
	copied   func(obj any)
	both     func(obj any)
}

// A Syncer is told of each object.
type Syncer interface {
	Sync(obj any) error
	// Seen is called with a copy, too.
	Seen(obj any)
}

// New makes a queue whose handler is called with what the informer has.
func New(informer cache.SharedIndexInformer, handler Handler, failed func(obj any)) *Queue {
	return &Queue{informer: informer, handler: handler, failed: failed}
}

// NewCopying makes one that calls with copies, or with both.
func NewCopying(informer cache.SharedIndexInformer, copied, both func(obj any)) *Queue {
	return &Queue{informer: informer, copied: copied, both: both}
}

func (q *Queue) next() error {
	obj, exists, err := q.informer.GetIndexer().GetByKey(<-q.keys)
	if err != nil || !exists {
		return err
	}
	if err := q.handler(obj); err != nil {
		q.fail(obj)
		return err
	}
	q.copied(obj.(*corev1.Namespace).DeepCopy())
	q.both(obj)
	q.both(obj.(*corev1.Namespace).DeepCopy())
	q.Syncer.Seen(obj)
	q.Syncer.Seen(obj.(*corev1.Namespace).DeepCopy())
	return q.Syncer.Sync(obj)
}

// fail hands on what it is given.
func (q *Queue) fail(obj any) { q.failed(obj) }

// Each calls do with each node of the lister.
func Each(lister listers.NodeLister, do func(*corev1.Node)) error {
	nodes, err := lister.List(labels.Everything())
	for _, node := range nodes {
		do(node)
	}
	return err
}

// EachOf calls do with each of the nodes, whosever they are.
func EachOf(nodes []*corev1.Node, do func(*corev1.Node)) {
	for _, node := range nodes {
		do(node)
	}
}

// All calls do with what the lister has, by EachOf.
func All(lister listers.NodeLister) error {
	nodes, err := lister.List(labels.Everything())
	EachOf(nodes, func(*corev1.Node) {})
	return err
}
