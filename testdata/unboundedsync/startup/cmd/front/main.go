// Command front waits before it asks for signals.
package main

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/operators/unboundedsync/startup"
)

var (
	factory informers.SharedInformerFactory
	watcher cache.Controller

	handlers cache.ResourceEventHandler
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
	http.HandleFunc("/page", startup.Page)
	go wait.Until(startup.Refill, time.Minute, stop)
	shelf := &startup.Shelf{}
	handlers = cache.ResourceEventHandlerFuncs{AddFunc: startup.OnAdd, DeleteFunc: shelf.OnDelete}
	ctx := ctrl.SetupSignalHandler()
	startup.Late(factory)
	startup.Promising(ctx, factory)
	startup.Serve(factory)
	<-ctx.Done()
	close(stop)
}
