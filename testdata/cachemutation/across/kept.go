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
	return k.Update(ctx, node) // want write "k.Update (keeper.go:20) mutates an entry of Labels of the Node returned by nodeLister: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @11 "read from the cache here, without a copy"
}
