// Package stops calls functions of which only -lockheld.blocks says that they block without bound, and looks at what
// can stop them.
package stops

import (
	"context"

	"example.com/operators/optin/blocks/store"
)

func background() {
	_ = store.FlushContext(context.Background(), "") // want neverstops "store.FlushContext waits for an external event and cannot be stopped: context.Background() is never done" @12 "context.Background() is never done"
}

func through(ctx context.Context) { _ = store.FlushContext(ctx, "") }

func caller() {
	through(context.TODO()) // want neverstops "store.FlushContext (stops.go:15, through through) waits for an external event and cannot be stopped: context.TODO() is never done" @15 "waits here" @18 "context.TODO() is never done"
}

func drain() {
	store.Drain("", nil) // want neverstops "store.Drain waits for an external event and cannot be stopped: a nil channel is never ready"
}

func stoppable(ctx context.Context, stop <-chan struct{}) {
	_ = store.FlushContext(ctx, "") // ok: the caller decides
	store.Drain("", stop)           // ok: the caller decides
	_ = store.Flush()               // ok: it takes nothing that could stop it, which is no mistake of this call
}
