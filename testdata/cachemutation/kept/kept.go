// Package kept has objects of caches in fields, and writes to them there.
package kept

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// entry has the node of a cache, by its constructor alone.
type entry struct {
	node *corev1.Node
	name string
}

func newEntry(node *corev1.Node) entry { return entry{node: node, name: node.Name} }

type registry struct {
	lister  listers.NodeLister
	entries map[string]entry
}

func (r *registry) add(entry entry) { r.entries[entry.name] = entry }

func (r *registry) sync(name string) error {
	node, err := r.lister.Get(name)
	if err != nil {
		return err
	}
	r.add(newEntry(node))
	return nil
}

func (r *registry) watch(nodes cache.SharedIndexInformer) {
	nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
		if node, ok := obj.(*corev1.Node); ok {
			r.add(newEntry(node))
		}
	}})
}

func (r *registry) clear(name string) { r.entries[name] = entry{} }

func (r *registry) mark() {
	for _, entry := range r.entries {
		entry.node.Labels["a"] = "b" // want write "this writes an entry of Labels of the Node that a cache still holds, kept in node: all who read it there see the change, until the server sends another one; change a DeepCopy"
	}
}

func (r *registry) labels(name string) map[string]string {
	out := &corev1.Node{}
	out.Labels = r.entries[name].node.Labels
	out.Labels["a"] = "b" // want alias "this writes an entry of Labels of the Node that a cache still holds, kept in node: all who read it there see the change, until the server sends another one; change a DeepCopy"
	return out.Labels
}

func (r *registry) markCopy(name string) *corev1.Node {
	node := r.entries[name].node.DeepCopy()
	node.Labels["a"] = "b" // ok: of the copy
	return node
}

// either has a copy, too.
type either struct{ node *corev1.Node }

func (e *either) get(lister listers.NodeLister, name string) error {
	node, err := lister.Get(name)
	if err == nil {
		e.node = node
	}
	return err
}

func (e *either) own() { e.node = e.node.DeepCopy() }

func (e *either) mark() { e.node.Labels["a"] = "b" } // ok: it may be the copy

// made is also made of what only some caller has from a cache.
type made struct{ node *corev1.Node }

func newMade(node *corev1.Node) *made { return &made{node} }

func (m *made) mark() { m.node.Labels["a"] = "b" } // ok: it may be the copy

func twice(lister listers.NodeLister, name string) (*made, *made, error) {
	node, err := lister.Get(name)
	if err != nil {
		return nil, nil, err
	}
	return newMade(node), newMade(node.DeepCopy()), nil
}

// Given is made by other packages, too.
type Given struct{ node *corev1.Node }

// NewGiven is called by others.
func NewGiven(node *corev1.Node) *Given { return &Given{node} }

func (g *Given) mark() { g.node.Labels["a"] = "b" } // ok: others may give their own

func given(lister listers.NodeLister, name string) (*Given, error) {
	node, err := lister.Get(name)
	return NewGiven(node), err
}

// Open has a field that others can set.
type Open struct{ Node *corev1.Node }

func (o *Open) get(lister listers.NodeLister, name string) (err error) {
	o.Node, err = lister.Get(name)
	return err
}

func (o *Open) mark() { o.Node.Labels["a"] = "b" } // ok: others may put their own there
