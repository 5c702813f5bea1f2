// Package lists looks for those that belong to an object.
package lists

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/last/api"
)

// Readers says how many readers a library has that stay.
func Readers(ctx context.Context, c client.Client, library string) (int, error) {
	list := &api.ReaderList{}
	if err := c.List(ctx, list); err != nil {
		return 0, err
	}
	count := 0
	for i := range list.Items {
		reader := &list.Items[i]
		if reader.DeletionTimestamp == nil && reader.Spec.Owner == library {
			count++
		}
	}
	return count, nil
}
