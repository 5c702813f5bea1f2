// Package controller follows what is optional.
package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/optionalderef/across/api"
)

// A Reconciler reads objects.
type Reconciler struct{ client.Client }

// Size follows fields that the webhook checks, and two that nobody does.
func (r *Reconciler) Size(ctx context.Context, key client.ObjectKey) (int32, string, error) {
	web := &api.Web{}
	if err := r.Get(ctx, key, web); err != nil {
		return 0, "", err
	}
	return *web.Spec.Cache.Size + *web.Spec.Split + *web.Spec.Pages, *web.Spec.Image, nil // want unchecked "size of Cache is optional (api.go:31) and never compared with nil in this module: an object without it panics here; check it, or mark it required" unchecked "spec.pages is optional (api.go:26) and never compared with nil in this module: an object without it panics here; check it, or mark it required"
}
