// Package across reads and writes by functions of another package.
package across

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"

	"example.com/operators/cachemutation/helper"
)

type controller struct{ nodeLister listers.NodeLister }

func (c controller) handedOn(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	helper.AnnotateCopy(node, "b") // ok
	helper.Annotate(node, "a")     // want write "helper.Annotate (helper.go:14) mutates an entry of Annotations of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @14 "read from the cache here, without a copy"
}

func (c controller) partOfIt(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	next := *node
	helper.Rename(&next)    // ok: its own field
	helper.Add(next.Labels) // want write "helper.Add (helper.go:25) mutates an entry of Labels of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @23 "read from the cache here, without a copy"
}

func (c controller) shallow(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	next := *node
	helper.Annotate(&next, "a") // want write "helper.Annotate (helper.go:14) mutates an entry of Annotations of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @33 "read from the cache here, without a copy"
}

func (c controller) givenOut(name string) {
	node, err := helper.Node(c.nodeLister, name)
	if err != nil {
		return
	}
	node.Spec.Unschedulable = true // want returned "mutates Unschedulable of the Node returned by Node(): all readers of the informer cache see the change; modify a DeepCopy" @42 "read from the cache here, without a copy"
}

func (c controller) copied(name string) {
	node, err := helper.NodeCopy(c.nodeLister, name)
	if err != nil {
		return
	}
	node.Spec.Unschedulable = true // ok
}

func (c controller) labels(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	helper.Labels(node)["a"] = "b" // want write "mutates an entry of Labels() of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @58 "read from the cache here, without a copy"
}

// A field of the copy that a callee of a callee writes to is the copy's own.
func (c controller) twice(name string) {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return
	}
	next := *node
	rename(&next) // ok
	label(&next)  // want write "label (helper.go:14) mutates an entry of Annotations of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @67 "read from the cache here, without a copy" @78 "passed on here"
}

func rename(node *corev1.Node) { helper.Rename(node) }

func label(node *corev1.Node) { helper.Annotate(node, "a") }

// finder has one implementation here, of another package.
type finder interface {
	Find(name string) (*corev1.Node, error)
}

type upgrader struct{ finder finder }

func newUpgrader(lister listers.NodeLister) *upgrader {
	return &upgrader{finder: helper.NewFinder(lister)}
}

func (u *upgrader) upgrade(name string) error {
	node, err := u.finder.Find(name)
	if err != nil {
		return err
	}
	helper.Rename(node) // want write "helper.Rename (helper.go:28) mutates Name of the Node returned by Find(): all readers of the informer cache see the change; pass a DeepCopy" @92 "read from the cache here, without a copy"
	return nil
}

// ofCopies writes to what a helper gives: to a copy, where it gives anything, and to what the cache has, where it copies some nodes alone.
func ofCopies(lister listers.NodeLister, name string) error {
	node, err := helper.NodeOrNothing(lister, name)
	if err != nil {
		return err
	}
	node.Labels["a"] = "b" // ok
	node, err = helper.NodeOrCopy(lister, name)
	if err != nil {
		return err
	}
	node.Labels["a"] = "b" // want returned "mutates an entry of Labels of the Node returned by NodeOrCopy(): all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @107 "read from the cache here, without a copy"
	return nil
}

var _ = ofCopies
