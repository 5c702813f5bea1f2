// Command cmd runs the controller and its webhook.
package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/optionalderef/across/api"
	"example.com/operators/optionalderef/across/controller"
	"example.com/operators/optionalderef/across/webhook"
)

func main() {
	web := &api.Web{}
	webhook.Default(web)
	if err := webhook.Validate(web); err != nil {
		panic(err)
	}
	r := &controller.Reconciler{}
	_, _, _ = r.Size(context.Background(), client.ObjectKeyFromObject(web))
}
