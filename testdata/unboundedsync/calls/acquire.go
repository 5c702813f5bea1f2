package calls

import (
	"context"

	"golang.org/x/sync/semaphore"
)

func limited(ctx context.Context, turns *semaphore.Weighted, do func(context.Context) error) error {
	if err := turns.Acquire(context.Background(), 1); err != nil { // want neverstops "turns.Acquire may wait forever for the semaphore: context.Background() is never done; pass a context that ends" @10 "context.Background() is never done"
		return err
	}
	defer turns.Release(1)
	return do(ctx)
}

func heeds(ctx context.Context, turns *semaphore.Weighted) error { // want heeds:"waits for turns.Acquire (acquire.go:18) until p0"
	return turns.Acquire(ctx, 1) // ok: the caller's
}

func drain(turns *semaphore.Weighted) error {
	return turns.Acquire(context.Background(), 8) // ok: it has no context, and those who have a turn give it back
}
