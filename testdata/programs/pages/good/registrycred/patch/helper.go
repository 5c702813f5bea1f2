// Package patch writes the changes of an object at the end of a reconcile.
package patch

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Helper remembers an object as it was.
type Helper struct {
	client client.Client
	obj    client.Object
	before client.Object
}

func NewHelper(c client.Client, obj client.Object) *Helper {
	return &Helper{client: c, obj: obj, before: obj.DeepCopyObject().(client.Object)}
}

// Done writes metadata and spec where they are others than before.
func (h *Helper) Done(ctx context.Context) error {
	data, err := client.MergeFrom(h.before).Data(h.obj)
	if err != nil {
		return err
	}
	if string(data) == "{}" {
		return nil
	}
	// the patch has the whole list of finalizers: not over the head of others
	return h.client.Patch(ctx, h.obj,
		client.MergeFromWithOptions(h.before, client.MergeFromWithOptimisticLock{}))
}
