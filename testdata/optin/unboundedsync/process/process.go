// Command process waits while it starts.
package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
)

func main() {
	var synced cache.InformerSynced
	cache.WaitForCacheSync(context.Background().Done(), synced) // want neverstops "cache.WaitForCacheSync waits for an API server to answer and cannot be stopped: context.Background() never ends" @14 "context.Background() never ends"
	go func() {
		cache.WaitForCacheSync(wait.NeverStop, synced) // want neverstops "cache.WaitForCacheSync waits for an API server to answer and cannot be stopped: wait.NeverStop never fires" @16 "wait.NeverStop never fires"
		println("synced")
	}()
	_ = wait.PollInfinite(time.Second, func() (bool, error) { return synced(), nil }) // want neverstops "wait.PollInfinite waits for its condition to hold and cannot be stopped: it takes neither a timeout nor a context"
	_ = wait.PollInfinite(time.Second, func() (bool, error) { return true, nil })     // ok: one round, whatever is asked for
}
