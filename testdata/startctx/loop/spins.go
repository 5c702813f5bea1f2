package loop

import (
	"context"
)

type relay struct {
	events chan string
}

func (r *relay) forward(ctx context.Context) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*relay).forward busy-waits forever; return, or break out of the loop"
		case <-r.events:
		}
	}
}

func (r *relay) session(parent context.Context) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		for {
			select {
			case <-ctx.Done(): // want loop "case <-WithCancel().Done() does not leave the loop: once the context is done, the loop in (*relay).session busy-waits forever; return, or break out of the loop"
			case <-r.events:
			}
		}
	}()
	<-r.events
	cancel()
}
