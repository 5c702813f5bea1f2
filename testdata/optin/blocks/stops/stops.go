// Package stops calls functions of which only -lockheld.blocks says that they block without bound, and looks at what
// can stop them.
package stops

import (
	"context"

	"example.com/operators/optin/blocks/store"
)

func background() {
	_ = store.FlushContext(context.Background(), "") // want neverstops "store.FlushContext may wait forever for an external event: context.Background() is never done; pass a context that ends" @12 "context.Background() is never done"
}

func through(ctx context.Context) { _ = store.FlushContext(ctx, "") }

func caller() {
	through(context.TODO()) // want neverstops "store.FlushContext (stops.go:15, via through) may wait forever for an external event: context.TODO() is never done; pass a context that ends" @15 "waits here" @18 "context.TODO() is never done"
}

func drain() {
	store.Drain("", nil) // want neverstops "store.Drain may wait forever for an external event: a nil channel is never ready; pass a channel that is closed on shutdown"
}

func stoppable(ctx context.Context, stop <-chan struct{}) {
	_ = store.FlushContext(ctx, "") // ok: the caller decides
	store.Drain("", stop)           // ok: the caller decides
	_ = store.Flush()               // ok: it takes nothing that could stop it, which is no mistake of this call
}
