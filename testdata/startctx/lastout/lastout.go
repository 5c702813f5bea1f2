// Package lastout has workers that wait for what only they do themselves, afterwards.
package lastout

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"

	"example.com/operators/startctx/lastout/tasks"
)

// Controller runs tasks on its own goroutine.
type Controller struct{ queue tasks.Tasks }

// NewController makes one.
func NewController() *Controller {
	c := &Controller{}
	c.queue = tasks.Named("controller")
	return c
}

func (c *Controller) Run() {
	defer c.shutdown()
	c.queue.Run() // want loop "(*Controller).Run never returns: it waits here until queue is shut down, which only its deferred call (line 25) does; shut it down from another goroutine" @29 "queue is shut down here"
}

func (c *Controller) shutdown() { c.queue.Stop() }

// Stopped has an owner who ends it.
type Stopped struct{ queue tasks.Tasks }

// NewStopped makes one.
func NewStopped() *Stopped { return &Stopped{tasks.New(nil)} }

func (s *Stopped) Run() {
	defer s.Stop()
	s.queue.Run() // ok: others may call Stop
}

func (s *Stopped) Stop() { s.queue.Stop() }

// Both shares its queue.
type Both struct{ queue *tasks.Shared }

// NewBoth makes one.
func NewBoth(q workqueue.TypedInterface[string]) *Both { return &Both{tasks.Share(q)} }

func (b *Both) Run() {
	defer b.queue.Stop()
	b.queue.Run() // ok: somebody else has the queue, too
}

// Worker has a queue of its own.
type Worker struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

// NewWorker makes one.
func NewWorker() *Worker {
	return &Worker{queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
}

func (w *Worker) next() bool {
	key, quit := w.queue.Get()
	if quit {
		return false
	}
	defer w.queue.Done(key)
	w.queue.Forget(key)
	return true
}

func (w *Worker) work() {
	for w.next() {
	}
}

func (w *Worker) Run(ctx context.Context) {
	defer w.queue.ShutDown()
	for i := 0; i < 3; i++ {
		go wait.UntilWithContext(ctx, func(context.Context) { w.work() }, time.Second)
	}
	<-ctx.Done() // ok: the workers run beside it
}

func (w *Worker) RunAlone(ctx context.Context) {
	defer w.queue.ShutDown()
	w.work() // ok: Run, too, shuts it down, and may run beside it
}

// Alone works by itself.
type Alone struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

// NewAlone makes one.
func NewAlone() *Alone {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	a := &Alone{queue: queue}
	add := func(key string) { queue.Add(key) }
	add("first")
	return a
}

func (a *Alone) next() bool {
	key, quit := a.queue.Get()
	if quit {
		return false
	}
	a.queue.Done(key)
	return true
}

func (a *Alone) work() {
	for a.next() {
	}
}

func (a *Alone) Run(stop <-chan struct{}) {
	defer a.queue.ShutDown()
	wait.Until(a.work, time.Second, stop) // want loop "(*Alone).Run never returns: it waits here until queue is shut down, which only its deferred call (line 122) does; shut it down from another goroutine" @122 "queue is shut down here"
}

// Watched is shut down when its context ends.
type Watched struct {
	queue workqueue.TypedInterface[string]
}

// NewWatched makes one.
func NewWatched() *Watched { return &Watched{workqueue.NewTyped[string]()} }

func (w *Watched) Run(ctx context.Context) {
	defer w.queue.ShutDown()
	go func() {
		<-ctx.Done()
		w.queue.ShutDown()
	}()
	for {
		key, quit := w.queue.Get() // ok: the goroutine ends it
		if quit {
			return
		}
		w.queue.Done(key)
	}
}

// Afterwards is shut down on the way out.
type Afterwards struct {
	queue workqueue.TypedInterface[string]
}

// NewAfterwards makes one.
func NewAfterwards() *Afterwards { return &Afterwards{workqueue.NewTyped[string]()} }

func (a *Afterwards) Run() {
	for {
		key, quit := a.queue.Get() // want loop "(*Afterwards).Run never returns: it waits here until queue is shut down, which only later code (line 165) does; shut it down from another goroutine" @165 "queue is shut down here"
		if quit {
			break
		}
		a.queue.Done(key)
	}
	func() { a.queue.ShutDown() }()
}

// Given has a queue that its caller has, too.
type Given struct {
	queue workqueue.TypedInterface[string]
}

// NewGiven makes one.
func NewGiven(queue workqueue.TypedInterface[string]) *Given { return &Given{queue} }

func (g *Given) Run() {
	defer g.queue.ShutDown()
	for {
		if _, quit := g.queue.Get(); quit { // ok: the caller may shut it down
			return
		}
	}
}

// Two has two queues, either of which ends it.
type Two struct {
	a, b workqueue.TypedInterface[string]
}

// NewTwo makes one.
func NewTwo() *Two { return &Two{workqueue.NewTyped[string](), workqueue.NewTyped[string]()} }

func (t *Two) next() bool {
	if _, quit := t.a.Get(); quit {
		return false
	}
	if _, quit := t.b.Get(); quit {
		return false
	}
	return true
}

// Stop ends it.
func (t *Two) Stop() { t.a.ShutDown() }

func (t *Two) Run() {
	defer t.b.ShutDown()
	for t.next() { // ok: Stop ends it
	}
}

// Timer runs what ends by itself.
type Timer struct{ tasks *tasks.Timed }

// NewTimer makes one.
func NewTimer() *Timer { return &Timer{tasks.NewTimed()} }

func (t *Timer) Run(stop <-chan struct{}) {
	defer t.tasks.Stop()
	t.tasks.Run(stop) // ok: it ends with stop
}
