// Command front waits before it asks for signals.
package main

import (
	"context"
	"net/http"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/unboundedsync/startup"
)

var (
	factory informers.SharedInformerFactory
	watcher cache.Controller
)

func main() {
	startup.Execute(factory)
	startup.Often(factory)
	stop := make(chan struct{})
	startup.Watch(watcher)
	startup.Heedless(watcher, stop)
	startup.Handle(startup.NewHandler(context.Background(), factory))
	(&startup.Server{}).Run()
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { startup.Often(factory) })
	ctx := ctrl.SetupSignalHandler()
	startup.Late(factory)
	startup.Promising(ctx, factory)
	startup.Serve(factory)
	<-ctx.Done()
	close(stop)
}
