// Package helper has functions for objects that other packages read from caches.
package helper

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
)

// Annotate writes to the node.
func Annotate(node *corev1.Node, key string) {
	if node.Annotations == nil {
		node.Annotations = map[string]string{}
	}
	node.Annotations[key] = ""
}

// AnnotateCopy writes to a copy.
func AnnotateCopy(node *corev1.Node, key string) *corev1.Node {
	node = node.DeepCopy()
	Annotate(node, key)
	return node
}

// Add writes to the map.
func Add(m map[string]string) { m["a"] = "b" }

// Rename writes to what it is given itself, and to nothing behind it.
func Rename(node *corev1.Node) { node.Name = "other" }

// Node gives out what the cache has.
func Node(lister listers.NodeLister, name string) (*corev1.Node, error) {
	return lister.Get(name)
}

// NodeCopy gives out a copy.
func NodeCopy(lister listers.NodeLister, name string) (*corev1.Node, error) {
	node, err := lister.Get(name)
	if err != nil {
		return nil, err
	}
	return node.DeepCopy(), nil
}

// NodeOrNothing gives out a copy, and what there is where there is none.
func NodeOrNothing(lister listers.NodeLister, name string) (*corev1.Node, error) {
	node, err := lister.Get(name)
	if err == nil && node != nil {
		return node.DeepCopy(), nil
	}
	return node, err
}

// NodeOrCopy gives out a copy of some nodes alone.
func NodeOrCopy(lister listers.NodeLister, name string) (*corev1.Node, error) {
	node, err := lister.Get(name)
	if err == nil && node.Spec.Unschedulable {
		return node.DeepCopy(), nil
	}
	return node, err
}

// Labels gives out the map of the node.
func Labels(node *corev1.Node) map[string]string { return node.Labels }

// Finder finds nodes.
type Finder struct{ lister listers.NodeLister }

// NewFinder finds them in the cache.
func NewFinder(lister listers.NodeLister) *Finder { return &Finder{lister} }

// Find gives out what the cache has.
func (f *Finder) Find(name string) (*corev1.Node, error) { return f.lister.Get(name) }
