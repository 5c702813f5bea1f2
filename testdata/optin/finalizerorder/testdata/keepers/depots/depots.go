// Package depots has a webhook.
package depots

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.com/operators/optin/finalizerorder/testdata/keepers/api"
)

// Webhook refuses what is in use.
type Webhook struct{ client.Reader }

// ValidateDelete refuses depots in use.
func (w *Webhook) ValidateDelete(ctx context.Context, obj runtime.Object) (admission.Warnings, error) {
	depot, ok := obj.(*api.Depot)
	if !ok {
		return nil, nil
	}
	var bus api.Bus
	if err := w.Get(ctx, client.ObjectKey{Namespace: depot.Namespace, Name: depot.Spec.Needs}, &bus); client.IgnoreNotFound(err) != nil {
		return nil, err
	} else if err == nil {
		return nil, errors.New("it is in use")
	}
	return nil, nil
}
