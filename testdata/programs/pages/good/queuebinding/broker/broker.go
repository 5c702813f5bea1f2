// Package broker finds the management API of brokers.
package broker

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/pages/good/queuebinding/v1alpha1"
)

// ErrNoBroker is given where there is no such broker.
var ErrNoBroker = errors.New("broker does not exist")

// Management is the API of a broker. Unbind succeeds where there is no such binding.
type Management interface {
	Bind(ctx context.Context, exchange, queue, key string) error
	Unbind(ctx context.Context, exchange, queue, key string) error
}

// Finder finds brokers.
type Finder struct {
	Reader  client.Reader
	Connect func(url string) (Management, error)
}

// Of gives the management API of the broker that a binding names.
func (f *Finder) Of(ctx context.Context, binding *v1alpha1.QueueBinding) (Management, error) {
	var found v1alpha1.Broker
	key := client.ObjectKey{Namespace: binding.Namespace, Name: binding.Spec.BrokerName}
	if err := f.Reader.Get(ctx, key, &found); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, fmt.Errorf("%w: %s", ErrNoBroker, key)
		}
		return nil, fmt.Errorf("getting broker %s: %w", key, err)
	}
	return f.Connect(found.Spec.ManagementURL)
}
