package across

import (
	"context"

	"example.com/operators/cachemutation/helper"
)

// kept calls methods that are named as a client's and are none.
func (c controller) kept(ctx context.Context, k *helper.Keeper, name string) error {
	node, err := c.nodeLister.Get(name)
	if err != nil {
		return err
	}
	if err := k.Apply(ctx, node); err != nil { // ok: it reads
		return err
	}
	return k.Update(ctx, node) // want write "Update (keeper.go:20) writes an entry of Labels of the Node that nodeLister still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @11 "it comes from the cache here, and is not copied"
}
