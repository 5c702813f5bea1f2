// Package lists looks for those that belong to an object.
package lists

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/last/api"
)

// Cranes says how many cranes a dock has.
func Cranes(ctx context.Context, c client.Client, dock string) (int, error) {
	list := &api.CraneList{}
	if err := c.List(ctx, list); err != nil {
		return 0, err
	}
	count := 0
	for i := range list.Items {
		if list.Items[i].Spec.Owner == dock {
			count++
		}
	}
	return count, nil
}

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
