// Command profiled has a server for profiles, which is to be shut down at the end.
package main

import (
	"context"
	"net/http"
	"os"

	"k8s.io/klog/v2"
)

func main() {
	server := &http.Server{Addr: os.Args[1]}
	go func() {
		ctx := context.Background()
		<-ctx.Done() // ok: the end of the process ends the server, too
		_ = server.Shutdown(ctx)
	}()
	go func() {
		ctx := context.Background()
		<-ctx.Done() // want neverstops "context.Background() never ends, so what is behind this is never done (line 22); wait for a context that something ends" @22 "control never comes here"
		_ = os.Remove(os.Args[2])
	}()
	klog.ErrorS(server.ListenAndServe(), "serving")
}
