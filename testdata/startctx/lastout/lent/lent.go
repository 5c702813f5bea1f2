// Package lent gives its queues to functions that work them off.
package lent

import (
	"context"

	"k8s.io/client-go/util/workqueue"

	"example.com/operators/startctx/lastout/lent/steps"
)

type parcels struct {
	queue workqueue.TypedInterface[string]
}

func newParcels() *parcels { return &parcels{workqueue.NewTyped[string]()} }

func (p *parcels) Run(context.Context) error {
	defer p.queue.ShutDown()
	for steps.Step(p.queue, p.send) { // want loop "(*parcels).Run never returns: it waits here until queue is shut down, which only its deferred call (line 19) does; shut it down from another goroutine" @19 "queue is shut down here"
	}
	return nil
}

func (p *parcels) send(string) {}

type letters struct {
	queue workqueue.TypedInterface[string]
}

func newLetters() *letters { return &letters{workqueue.NewTyped[string]()} }

func (l *letters) Run(context.Context) error {
	defer l.queue.ShutDown()
	steps.Drain(l.queue, func(string) {}) // want loop "(*letters).Run never returns: it waits here until queue is shut down, which only its deferred call (line 34) does; shut it down from another goroutine" @34 "queue is shut down here"
	return nil
}

type stamps struct {
	queue workqueue.TypedRateLimitingInterface[int]
}

func newStamps() *stamps {
	return &stamps{workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[int]())}
}

func (s *stamps) Run(context.Context) error {
	for steps.StepOf(s.queue, s.print) { // want loop "(*stamps).Run never returns: it waits here until queue is shut down, which only later code (line 50) does; shut it down from another goroutine" @50 "queue is shut down here"
	}
	s.queue.ShutDown()
	return nil
}

func (s *stamps) print(int) error { return nil }

// cards has the function in its own package.
type cards struct {
	queue workqueue.TypedInterface[string]
}

func newCards() *cards { return &cards{workqueue.NewTyped[string]()} }

func (c *cards) Run(context.Context) error {
	defer c.queue.ShutDown()
	work(c.queue) // want loop "(*cards).Run never returns: it waits here until queue is shut down, which only its deferred call (line 64) does; shut it down from another goroutine" @64 "queue is shut down here"
	return nil
}

func work(q workqueue.TypedInterface[string]) {
	for {
		item, down := q.Get()
		if down {
			return
		}
		q.Done(item)
	}
}

// told is told of the end.
type told struct {
	queue workqueue.TypedInterface[string]
}

func newTold() *told { return &told{workqueue.NewTyped[string]()} }

func (t *told) Run(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		t.queue.ShutDown()
	}()
	for steps.Step(t.queue, func(string) {}) { // ok: the goroutine ends it
	}
	return nil
}

// stopped has another package do it.
type stopped struct {
	queue workqueue.TypedInterface[string]
}

func newStopped() *stopped { return &stopped{workqueue.NewTyped[string]()} }

func (s *stopped) Run(ctx context.Context) error {
	defer s.queue.ShutDown()
	context.AfterFunc(ctx, func() { steps.Stop(s.queue) })
	steps.Drain(s.queue, func(string) {}) // ok: Stop ends it
	return nil
}

// registered is ended by whoever has the register.
type registered struct {
	queue workqueue.TypedInterface[string]
}

func newRegistered() *registered {
	r := &registered{workqueue.NewTyped[string]()}
	steps.Register(r.queue)
	return r
}

func (r *registered) Run(context.Context) error {
	defer r.queue.ShutDown()
	steps.Drain(r.queue, func(string) {}) // ok: StopAll may end it
	return nil
}

// short ends with the last one.
type short struct {
	queue workqueue.TypedInterface[string]
}

func newShort() *short { return &short{workqueue.NewTyped[string]()} }

func (s *short) Run(context.Context) error {
	defer s.queue.ShutDown()
	for steps.StepUntil(s.queue, "last") { // ok: the last one ends it
	}
	return nil
}

// Serve runs them.
func Serve(ctx context.Context) error {
	for _, r := range []interface{ Run(context.Context) error }{
		newParcels(), newLetters(), newStamps(), newCards(), newTold(), newStopped(), newRegistered(), newShort(),
	} {
		if err := r.Run(ctx); err != nil {
			return err
		}
	}
	return nil
}
