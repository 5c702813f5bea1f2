// Package yards keeps objects of which it does not know the kind.
package yards

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/optin/finalizerorder/testdata/keepers/rail"
)

// Kinds makes empty objects.
var Kinds = map[string]func() client.Object{
	"track": func() client.Object { return new(rail.Track) },
}

// Yard keeps one.
func Yard(ctx context.Context, c client.Client, kind string, key client.ObjectKey) error {
	obj := Kinds[kind]()
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	controllerutil.AddFinalizer(obj, "example.com/"+kind)
	return c.Update(ctx, obj)
}
