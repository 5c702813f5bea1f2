// Package tasks queues names of objects in queues of another package.
package tasks

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/eventfilter/tasks/line"
)

func use(*corev1.Node) error { return nil }

func release(string) error { return nil }

// digger does nothing about nodes that are gone.
type digger struct {
	client client.Client
	line   *line.Line
}

func (d *digger) start(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: d.seen, DeleteFunc: d.seen})
}

func (d *digger) seen(obj any) {
	node, ok := obj.(*corev1.Node) // ok: who takes the name finds nothing, and does nothing
	if !ok {
		return
	}
	d.line.Add(node.Name)
}

func (d *digger) run(ctx context.Context) {
	for {
		task, quit := d.line.Get()
		if quit {
			return
		}
		if err := d.process(ctx, task); err != nil {
			klog.ErrorS(err, "no process", "task", task)
			d.line.Add(task)
		}
		d.line.Done(task)
	}
}

func (d *digger) process(ctx context.Context, name string) error {
	node := &corev1.Node{}
	if err := d.client.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
	return use(node)
}

// miner gives back what belonged to them.
type miner struct {
	client client.Client
	line   *line.Line
}

func (m *miner) start(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: m.seen, DeleteFunc: m.seen})
}

func (m *miner) seen(obj any) {
	node, ok := obj.(*corev1.Node) // want tombstone "DeleteFunc (line 70) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @70 "DeleteFunc receives delete events here"
	if !ok {
		return
	}
	m.line.Add(node.Name)
}

func (m *miner) run(ctx context.Context) {
	for {
		task, quit := m.line.Get()
		if quit {
			return
		}
		if err := m.process(ctx, task); err != nil {
			klog.ErrorS(err, "no process", "task", task)
			m.line.Add(task)
		}
		m.line.Done(task)
	}
}

func (m *miner) process(ctx context.Context, name string) error {
	node := &corev1.Node{}
	if err := m.client.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		return release(name)
	}
	return use(node)
}

// clerk gives the name to somebody else as well.
type clerk struct {
	client client.Client
	line   *line.Line
}

func (c *clerk) start(nodes cache.SharedIndexInformer) {
	_, _ = nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: c.seen, DeleteFunc: c.seen})
}

func (c *clerk) seen(obj any) {
	node, ok := obj.(*corev1.Node) // want tombstone "DeleteFunc (line 113) ignores cache.DeletedFinalStateUnknown: the type assertion to *v1.Node fails and the delete is lost; unwrap its Obj first" @113 "DeleteFunc receives delete events here"
	if !ok {
		return
	}
	c.line.Add(node.Name)
}

func (c *clerk) run(ctx context.Context) {
	for {
		task, quit := c.line.Get()
		if quit {
			return
		}
		_ = c.process(ctx, task)
		_ = release(task)
		c.line.Done(task)
	}
}

func (c *clerk) process(ctx context.Context, name string) error {
	node := &corev1.Node{}
	if err := c.client.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		if !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
	return use(node)
}
