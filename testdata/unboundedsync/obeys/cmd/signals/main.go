// Command signals asks for signals.
package main

import (
	"context"
	"os"
	"os/signal"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/unboundedsync/obeys"
)

var factory informers.SharedInformerFactory

var started []interface{ Initialize(stop <-chan struct{}) }

func main() {
	obeys.OpenUntil(ctrl.SetupSignalHandler(), factory)
	later(obeys.Handed)
	started = append(started, &obeys.Stopper{Factory: factory})
	factory.Start(wait.NeverStop)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard)
	obeys.Deaf(context.Background(), factory)
	<-heard
}

func later(f func(context.Context, informers.SharedInformerFactory)) {
	defer f(context.Background(), factory)
}
