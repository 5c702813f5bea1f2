// Package kinds has objects of its own: drives get finalizers, nodes never do.
package kinds

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/data"

// Drive is guarded as long as there are data on it.
type Drive struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (d *Drive) DeepCopyObject() runtime.Object {
	out := *d
	d.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Node is never guarded.
type Node struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (n *Node) DeepCopyObject() runtime.Object {
	out := *n
	n.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func keep(ctx context.Context, c client.Client, drive *Drive) error {
	controllerutil.AddFinalizer(drive, guard)
	return c.Update(ctx, drive)
}

func wipe(ctx context.Context, c client.Client, drive *Drive, node *Node) error {
	drive.Finalizers = nil
	if err := c.Update(ctx, drive); err != nil { // want removedbeforedelete "drive loses all its finalizers before it is deleted (line 51): one added in between makes the deletion hang; delete first" @51 "the object is deleted here"
		return err
	}
	if err := c.Delete(ctx, drive); err != nil {
		return err
	}
	node.Finalizers = nil
	if err := c.Update(ctx, node); err != nil { // ok: nobody gives it one
		return err
	}
	return c.Delete(ctx, node)
}
