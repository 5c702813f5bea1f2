package detached

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// index has a context of its own, which nobody ends.
type index struct {
	client.Client
	on     bool
	ctx    context.Context
	cancel context.CancelFunc
}

func newIndex(c client.Client) *index {
	ctx, cancel := context.WithCancel(context.Background())
	i := &index{Client: c, ctx: ctx, cancel: cancel}
	go wait.JitterUntilWithContext(i.ctx, i.build, time.Minute, 0.1, true) // want detached "the goroutine of newIndex never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @23 "wait.JitterUntilWithContext gets a context that is never done"
	return i
}

func newLoggingIndex(c client.Client) *index {
	ctx, cancel := context.WithCancel(context.Background())
	i := &index{Client: c, ctx: ctx, cancel: cancel}
	go func() { // want detached "the goroutine of newLoggingIndex never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable" @32 "wait.UntilWithContext gets a context that is never done"
		work()
		wait.UntilWithContext(ctx, i.build, time.Minute)
	}()
	return i
}

func newOptionalIndex(c client.Client) *index {
	ctx, cancel := context.WithCancel(context.Background())
	i := &index{Client: c, ctx: ctx, cancel: cancel}
	go func() {
		if !i.on {
			return
		}
		wait.UntilWithContext(ctx, i.build, time.Minute) // ok: it may end before
	}()
	return i
}

func (i *index) build(ctx context.Context) {
	var pods corev1.PodList
	if err := i.List(ctx, &pods); err != nil {
		return
	}
}

// closable can be closed.
type closable struct {
	client.Client
	cancel context.CancelFunc
}

func newClosable(c client.Client) *closable {
	ctx, cancel := context.WithCancel(context.Background())
	i := &closable{Client: c, cancel: cancel}
	go wait.UntilWithContext(ctx, func(ctx context.Context) { _ = i.List(ctx, &corev1.PodList{}) }, time.Minute) // ok: release ends it
	return i
}

func (c *closable) release() { c.cancel() }

type watchman struct{ index }

func (w *watchman) NeedLeaderElection() bool { return true }

func (w *watchman) Start(ctx context.Context) error {
	go func() { wait.UntilWithContext(context.Background(), w.build, time.Minute) }() // want replaced "wait.UntilWithContext gets context.Background() instead of ctx, so it does not stop with (*watchman).Start; pass ctx" @75 "ctx is available here"
	return nil
}
