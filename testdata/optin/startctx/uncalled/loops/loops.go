// Package loops has loops that spin when they are asked to stop.
package loops

import (
	"context"

	"k8s.io/client-go/util/workqueue"
)

// Forgotten is what nobody calls.
func Forgotten(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // ok
		case <-jobs:
		}
	}
}

// Lasting is started with what ends with the process.
func Lasting(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // ok
		case <-jobs:
		}
	}
}

// Serve is called, and keeps the process.
func Serve(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in Serve busy-waits forever; return, or break out of the loop"
		case <-jobs:
		}
	}
}

// Taken is used as a value.
func Taken(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in Taken busy-waits forever; return, or break out of the loop"
		case <-jobs:
		}
	}
}

// Parted is stopped by a part of the process.
func Parted(stop <-chan struct{}, jobs chan int) {
	for {
		select {
		case <-stop: // want loop "case <-stop does not leave the loop: once it is closed, the loop in Parted busy-waits forever; return, or break out of the loop"
		case <-jobs:
		}
	}
}

// Endless is started with a context that nothing ends.
func Endless(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // ok
		case <-jobs:
		}
	}
}

// A Worker works off a queue.
type Worker struct {
	queue workqueue.TypedInterface[string]
}

// NewWorker is a Worker.
func NewWorker() *Worker { return &Worker{queue: workqueue.NewTyped[string]()} }

// Last is ended with the process.
func (w *Worker) Last(stop <-chan struct{}) {
	defer w.queue.ShutDown()
	for {
		if _, quit := w.queue.Get(); quit { // ok
			return
		}
	}
}

// A Helper works off a queue, too.
type Helper struct {
	queue workqueue.TypedInterface[string]
}

// NewHelper is a Helper.
func NewHelper() *Helper { return &Helper{queue: workqueue.NewTyped[string]()} }

// Early is stopped before.
func (w *Helper) Early(stop <-chan struct{}) {
	defer w.queue.ShutDown()
	for {
		if _, quit := w.queue.Get(); quit { // want loop "(*Helper).Early never returns: it waits here until queue is shut down, which only its deferred call (line 98) does; shut it down from another goroutine" @98 "queue is shut down here"
			return
		}
	}
}

// A Closer closes something.
type Closer interface{ Close(<-chan struct{}) }

// A Runner runs something.
type Runner interface {
	Run(context.Context, chan int)
}

type both struct{}

// NewCloser gives one.
func NewCloser() Closer { return &both{} }

// NewRunner gives one, and nobody asks for it.
func NewRunner() Runner { return &both{} }

// Close is started through an interface, to end with the process.
func (b *both) Close(stop <-chan struct{}) {
	for {
		select {
		case <-stop: // ok
		}
	}
}

// Run is called by no interface.
func (b *both) Run(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // ok
		case <-jobs:
		}
	}
}

// Idle is called by another package, with a context that nothing ends.
func Idle(ctx context.Context, jobs chan int) {
	for {
		select {
		case <-ctx.Done(): // ok
		case <-jobs:
		}
	}
}
