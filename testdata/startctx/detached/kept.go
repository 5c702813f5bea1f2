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
	go wait.JitterUntilWithContext(i.ctx, i.build, time.Minute, 0.1, true) // want detached "newIndex starts a goroutine that calls the API server and in which wait.JitterUntilWithContext cannot be stopped, context.Background() is never done (line 23): it runs on every replica, leader or not, and nothing stops it" @23 "this goes on forever"
	return i
}

func newLoggingIndex(c client.Client) *index {
	ctx, cancel := context.WithCancel(context.Background())
	i := &index{Client: c, ctx: ctx, cancel: cancel}
	go func() { // want detached "newLoggingIndex starts a goroutine that calls the API server and in which wait.UntilWithContext cannot be stopped, context.Background() is never done (line 32): it runs on every replica, leader or not, and nothing stops it" @32 "this goes on forever"
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
	go func() { wait.UntilWithContext(context.Background(), w.build, time.Minute) }() // want replaced "wait.UntilWithContext gets context.Background(), though ctx is at hand in (*watchman).Start: it waits for the component to stop, and the end of (*watchman).Start does not end it" @75 "ctx is at hand"
	return nil
}
