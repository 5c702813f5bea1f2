// Command app puts listeners and hub together.
package main

import (
	"k8s.io/client-go/tools/cache"

	"example.com/operators/lockheld/linked/hub"
	"example.com/operators/lockheld/linked/relay"
	"example.com/operators/lockheld/linked/waiters"
)

func main() {
	w := &waiters.Waiter{Informer: cache.NewSharedIndexInformer(nil, nil, 0, nil), Stop: make(chan struct{})}
	h, b := new(hub.Hub), new(hub.Board)
	h.Add(w)
	h.Hook("refresh", w.Refresh)
	b.Add(w)
	h.Publish("a")
	h.Tell("a")
	h.Run("a")
	b.Show("a")
	relay.New(h).Publish("a")
	relay.NewRepeater(h).Tell("a")
}
