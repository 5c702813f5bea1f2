package signals

import (
	"context"
	"os/signal"
	"syscall"

	"example.com/operators/startctx/signals/sources"
)

// elected stays for as long as somebody else lets it.
func elected() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	sources.Elect(ctx)
	select {} // ok: who has lost an election ends the process
}

var _ = elected
