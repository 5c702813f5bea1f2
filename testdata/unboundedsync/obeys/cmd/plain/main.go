// Command plain has nothing that stops it, and leaves signals to the runtime.
package main

import (
	"context"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"

	"example.com/operators/unboundedsync/obeys"
	"example.com/operators/unboundedsync/obeys/runner"
)

var factory informers.SharedInformerFactory

var provider interface{ Initialize(stop <-chan struct{}) }

func main() {
	ctx := context.Background()
	obeys.Open(ctx, factory)
	obeys.Through(ctx, factory)
	obeys.Timed(ctx, factory)
	stop := make(chan struct{})
	obeys.Closed(stop, factory)
	provider = &runner.Provider{Factory: factory}
	factory.Start(wait.NeverStop)
	close(stop)
}
