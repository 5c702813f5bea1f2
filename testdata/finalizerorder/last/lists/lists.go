// Package lists looks for those that belong to an object.
package lists

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/last/api"
)

// Carts says whether a mine has carts, and asks in a literal.
func Carts(ctx context.Context, c client.Client, mine string) (found bool, err error) {
	err = retry.OnError(retry.DefaultRetry, apierrors.IsTimeout, func() error {
		var list api.CartList
		if err := c.List(ctx, &list, client.MatchingFields{"spec.owner": mine}); err != nil {
			return err
		}
		found = len(list.Items) > 0
		return nil
	})
	return found, err
}
