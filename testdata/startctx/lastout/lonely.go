package lastout

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

// lonely works a queue off in a goroutine for which nobody waits.
type lonely struct {
	queue workqueue.TypedInterface[string]
}

func newLonely(ctx context.Context) *lonely {
	l := &lonely{workqueue.NewTyped[string]()}
	go l.Run(ctx)
	return l
}

// Run never returns, and keeps nobody.
func (l *lonely) Run(ctx context.Context) {
	defer l.queue.ShutDown()
	wait.UntilWithContext(ctx, l.worker, time.Second) // ok
}

func (l *lonely) worker(context.Context) {
	for l.next() {
	}
}

func (l *lonely) next() bool {
	key, quit := l.queue.Get()
	if quit {
		return false
	}
	defer l.queue.Done(key)
	return true
}

// awaited works one off for somebody who waits.
type awaited struct {
	queue workqueue.TypedInterface[string]
}

func runAwaited(ctx context.Context) {
	a := &awaited{workqueue.NewTyped[string]()}
	a.Run(ctx)
}

// Run never returns.
func (a *awaited) Run(ctx context.Context) {
	defer a.queue.ShutDown()
	wait.UntilWithContext(ctx, a.worker, time.Second) // want loop "(*awaited).Run goes on here until queue is shut down, and only what it has deferred (line 54) does that: it never returns" @54 "queue is shut down here"
}

func (a *awaited) worker(context.Context) {
	for a.next() {
	}
}

func (a *awaited) next() bool {
	key, quit := a.queue.Get()
	if quit {
		return false
	}
	defer a.queue.Done(key)
	return true
}
