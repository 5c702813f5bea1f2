package kinds

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var nothing = []byte(`{"metadata":{"finalizers":[]}}`)

func tries(ctx context.Context, c client.Client, drive *Drive, try func(*Drive) error) error {
	if err := c.Create(ctx, drive); err != nil {
		return err
	}
	defer func() { _ = try(drive) }()
	defer c.Patch(ctx, drive, client.RawPatch(types.MergePatchType, nothing)) // ok: what is deferred last is done first
	defer c.Delete(ctx, drive)
	return try(drive)
}

func triesInVain(ctx context.Context, c client.Client, drive *Drive, try func(*Drive) error) error {
	if err := c.Create(ctx, drive); err != nil {
		return err
	}
	defer c.Delete(ctx, drive)
	defer c.Patch(ctx, drive, client.RawPatch(types.MergePatchType, nothing)) // want removedbeforedelete "drive loses all its finalizers before it is deleted (line 26): one added in between makes the deletion hang; delete first" @26 "the object is deleted here"
	return try(drive)
}

func deletesFirst(ctx context.Context, c client.Client, drive *Drive) error {
	defer c.Patch(ctx, drive, client.RawPatch(types.MergePatchType, nothing)) // ok: it is deleted then
	return c.Delete(ctx, drive)
}

func deletesAtLast(ctx context.Context, c client.Client, drive *Drive) error {
	defer c.Delete(ctx, drive)
	return c.Patch(ctx, drive, client.RawPatch(types.MergePatchType, nothing)) // want removedbeforedelete "drive loses all its finalizers before it is deleted (line 37): one added in between makes the deletion hang; delete first" @37 "the object is deleted here"
}
