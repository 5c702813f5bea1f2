// Package factory makes controllers as the package of OpenShift's library does.
package factory

import (
	"context"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// DefaultQueueKey is the key of all that a controller does.
const DefaultQueueKey = "key"

// A SyncContext has the queue of a controller.
type SyncContext interface {
	Queue() workqueue.TypedRateLimitingInterface[string]
}

type syncContext struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (s *syncContext) Queue() workqueue.TypedRateLimitingInterface[string] { return s.queue }

// NewSyncContext makes one.
func NewSyncContext() SyncContext {
	return &syncContext{queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
}

// A Factory sets up a controller.
type Factory struct {
	context SyncContext
	resync  time.Duration
	sync    func(context.Context, SyncContext) error
}

// New makes one.
func New() *Factory { return &Factory{} }

// WithSyncContext says which queue it has.
func (f *Factory) WithSyncContext(c SyncContext) *Factory {
	f.context = c
	return f
}

// ResyncEvery says after what time its key comes again.
func (f *Factory) ResyncEvery(d time.Duration) *Factory {
	f.resync = d
	return f
}

// WithSync says what it does.
func (f *Factory) WithSync(sync func(context.Context, SyncContext) error) *Factory {
	f.sync = sync
	return f
}

// Run runs it.
func (f *Factory) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(f.resync):
			f.context.Queue().Add(DefaultQueueKey)
			_ = f.sync(ctx, f.context)
		}
	}
}
