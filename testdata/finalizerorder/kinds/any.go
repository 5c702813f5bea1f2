package kinds

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Rack is what has drives: it is one of the kinds of this module that have a side.
type Rack interface {
	client.Object
	Side() string
}

// A Shelf is another one, and gets no finalizer either.
type Shelf interface {
	Rack
	Level() int
}

// A Box is what has a name, as all objects do.
type Box interface {
	client.Object
	GetName() string
}

// Slot is what a drive is also.
type Slot interface {
	client.Object
	Spin() bool
}

// Spin is what drives alone do.
func (d *Drive) Spin() bool { return d.Name != "" }

// emptied has no kind, and those that it may be of get no finalizer.
func emptied(ctx context.Context, c client.Client, of Rack, shelf Shelf, box Box, slot Slot) error {
	rack := of.DeepCopyObject().(Rack)
	rack.SetFinalizers(nil)
	if err := c.Update(ctx, rack); err != nil { // ok: nobody gives it one
		return err
	}
	if err := c.Delete(ctx, rack); err != nil {
		return err
	}
	shelf.SetFinalizers(nil)
	if err := c.Update(ctx, shelf); err != nil { // ok: nor this one
		return err
	}
	if err := c.Delete(ctx, shelf); err != nil {
		return err
	}
	box.SetFinalizers(nil)
	if err := c.Update(ctx, box); err != nil { // want removedbeforedelete "box loses all its finalizers before it is deleted (line 57): one added in between makes the deletion hang; delete first" @57 "the object is deleted here"
		return err
	}
	if err := c.Delete(ctx, box); err != nil {
		return err
	}
	slot.SetFinalizers(nil)
	if err := c.Update(ctx, slot); err != nil { // want removedbeforedelete "slot loses all its finalizers before it is deleted (line 64): one added in between makes the deletion hang; delete first" @64 "the object is deleted here"
		return err
	}
	return c.Delete(ctx, slot)
}

var _ = emptied
