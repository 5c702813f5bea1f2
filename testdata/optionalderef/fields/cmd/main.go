// Command cmd links what package fields does.
package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/optionalderef/fields"
)

func main() { fields.Run(context.Background(), nil, client.ObjectKey{}, &fields.Gateway{}) }
