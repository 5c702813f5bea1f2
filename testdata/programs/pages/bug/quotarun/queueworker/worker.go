// Package queueworker has the part of a controller that is always the same.
package queueworker

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/util/workqueue"
)

// Handle does one key.
type Handle func(ctx context.Context, key string) error

// Next takes one key from the queue; it says no when the queue was shut down.
func Next(ctx context.Context, q workqueue.TypedRateLimitingInterface[string], h Handle) bool {
	key, down := q.Get()
	if down {
		return false
	}
	defer q.Done(key)
	if err := h(ctx, key); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "requeued", "key", key, "retries", q.NumRequeues(key))
		q.AddRateLimited(key)
		return true
	}
	q.Forget(key)
	return true
}
