package kinds

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type drives interface {
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (*Drive, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

type nodes interface {
	Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (*Node, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

var without = []byte(`[{"op": "remove", "path": "/metadata/finalizers"}]`)

// wipeNamed knows both by their names.
func wipeNamed(ctx context.Context, ds drives, ns nodes, drive, node string) error {
	if _, err := ds.Patch(ctx, drive, types.JSONPatchType, without, metav1.PatchOptions{}); err != nil { // want removedbeforedelete "the object called drive loses all its finalizers before it is deleted (line 27): one added in between makes the deletion hang; delete first" @27 "the object is deleted here"
		return err
	}
	if err := ds.Delete(ctx, drive, metav1.DeleteOptions{}); err != nil {
		return err
	}
	if _, err := ns.Patch(ctx, node, types.JSONPatchType, without, metav1.PatchOptions{}); err != nil { // ok: nobody gives it one
		return err
	}
	return ns.Delete(ctx, node, metav1.DeleteOptions{})
}

var _ = wipeNamed
