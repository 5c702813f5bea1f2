package loop

import (
	"context"
	"time"
)

type renewer struct{ renewals int }

// renewing closes what it triggers by when it ends.
func (r *renewer) renewing(ctx context.Context, changes <-chan string) {
	triggers := make(chan struct{}, 1)
	defer close(triggers)
	go func() {
		for range changes {
			select {
			case triggers <- struct{}{}:
			default:
			}
		}
	}()
	r.renew(ctx, triggers)
}

func (r *renewer) renew(ctx context.Context, triggers <-chan struct{}) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-triggers: // ok: it is closed when this is over
			r.renewals++
		case <-ticker.C:
			r.renewals++
		case <-ctx.Done():
			return
		}
	}
}

// watching closes it while the loop runs.
func (r *renewer) watching(ctx context.Context, changes <-chan string) {
	triggers := make(chan struct{}, 1)
	go func() {
		defer close(triggers)
		for range changes {
			triggers <- struct{}{}
		}
	}()
	r.watch(ctx, triggers)
}

func (r *renewer) watch(ctx context.Context, triggers <-chan struct{}) {
	for {
		select {
		case <-triggers: // want loop "case <-triggers does not leave the loop: once it is closed, the loop in (*renewer).watch busy-waits until another case leaves it; return, or break out of the loop"
			r.renewals++
		case <-ctx.Done():
			return
		}
	}
}
