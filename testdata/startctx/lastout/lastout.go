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
	c.queue = tasks.Make(c.sync)
	return c
}

func (c *Controller) sync(string) error { return nil }

func (c *Controller) Run() {
	defer c.shutdown()
	c.queue.Run() // want loop "(*Controller).Run goes on here until queue is shut down, and only what it has deferred (line 27) does that: it never returns" @31 "queue is shut down here"
}

func (c *Controller) shutdown() { c.queue.Stop() }

// Hidden has tasks of a type that it does not see.
type Hidden struct{ queue tasks.Tasks }

// NewHidden makes one.
func NewHidden() *Hidden { return &Hidden{tasks.New(nil)} }

func (h *Hidden) Run() {
	defer h.queue.Stop()
	h.queue.Run() // not seen
}

// Asked is told when to stop.
type Asked struct {
	queue *tasks.Single
	stop  chan struct{}
}

// NewAsked makes one.
func NewAsked(stop chan struct{}) *Asked {
	a := &Asked{stop: stop}
	a.queue = tasks.Make(func(string) error { return nil })
	return a
}

func (a *Asked) Run() {
	defer a.queue.Stop()
	go a.queue.Run() // ok: on another goroutine
	<-a.stop
}

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
	wait.Until(a.work, time.Second, stop) // want loop "(*Alone).Run goes on here until queue is shut down, and only what it has deferred (line 154) does that: it never returns" @154 "queue is shut down here"
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

// Limited stops by itself.
type Limited struct {
	queue workqueue.TypedInterface[string]
}

// NewLimited makes one.
func NewLimited() *Limited { return &Limited{workqueue.NewTyped[string]()} }

func (l *Limited) Run() {
	defer l.queue.ShutDown()
	for range 10 {
		if _, quit := l.queue.Get(); quit { // ok: ten items are enough
			return
		}
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
		key, quit := a.queue.Get() // want loop "(*Afterwards).Run goes on here until queue is shut down, and only what it does afterwards (line 214) does that: it never returns" @214 "queue is shut down here"
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

// Bound is shut down by who made its queue.
type Bound struct {
	queue workqueue.TypedInterface[string]
}

func bound(ctx context.Context) workqueue.TypedInterface[string] {
	queue := workqueue.NewTyped[string]()
	go func() {
		<-ctx.Done()
		queue.ShutDown()
	}()
	return queue
}

// NewBound makes one.
func NewBound(ctx context.Context) *Bound { return &Bound{bound(ctx)} }

func (b *Bound) Run() {
	defer b.queue.ShutDown()
	for {
		if _, quit := b.queue.Get(); quit { // ok: the goroutine of bound shuts it down
			return
		}
	}
}

// Ended starts what ends it on the way.
type Ended struct {
	queue workqueue.TypedInterface[string]
}

// NewEnded makes one.
func NewEnded() *Ended { return &Ended{workqueue.NewTyped[string]()} }

func (e *Ended) Run(ctx context.Context) {
	defer e.queue.ShutDown()
	e.work(ctx) // ok: it starts a goroutine that ends it
}

func (e *Ended) work(ctx context.Context) {
	go func() {
		<-ctx.Done()
		e.queue.ShutDown()
	}()
	for {
		if _, quit := e.queue.Get(); quit {
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

// Left works off a queue that nobody shuts down.
type Left struct {
	queue workqueue.TypedInterface[string]
	other workqueue.TypedInterface[string]
	given workqueue.TypedInterface[string]
}

// NewLeft makes one.
func NewLeft(given workqueue.TypedInterface[string]) *Left {
	return &Left{workqueue.NewTyped[string](), workqueue.NewTyped[string](), given}
}

func (l *Left) Run(stop <-chan struct{}) {
	go func() {
		<-stop
		l.other.ShutDown()
	}()
	l.drainOther()
	l.drainGiven()
	l.drain()
}

// RunLeft waits for it.
func RunLeft(l *Left, stop <-chan struct{}, left chan<- struct{}) {
	l.Run(stop)
	left <- struct{}{}
}

func (l *Left) drain() {
	for l.next() { // want loop "(*Left).drain goes on here until queue is shut down, and nothing does that: what (*Left).Run (line 335) started goes on when it is asked to stop"
	}
}

func (l *Left) next() bool {
	key, quit := l.queue.Get()
	if quit {
		return false
	}
	l.queue.Done(key)
	return true
}

func (l *Left) drainOther() {
	for {
		if _, quit := l.other.Get(); quit { // ok: it is shut down when stop ends
			return
		}
	}
}

func (l *Left) drainGiven() {
	for {
		if _, quit := l.given.Get(); quit { // ok: whoever gave it may shut it down
			return
		}
	}
}

// Beside is started beside what has it, and nobody waits for it.
type Beside struct {
	queue workqueue.TypedInterface[string]
}

func (k *Beside) Run(stop <-chan struct{}) { wait.Until(k.drain, time.Second, stop) }

func (k *Beside) drain() {
	for {
		if _, quit := k.queue.Get(); quit { // ok: it goes with the process
			return
		}
	}
}

// NewBeside makes one, and starts it.
func NewBeside(stop <-chan struct{}) *Beside {
	k := &Beside{workqueue.NewTyped[string]()}
	go k.Run(stop)
	return k
}

// Far is run by others, who may wait for nobody.
type Far struct {
	queue workqueue.TypedInterface[string]
}

// NewFar makes one.
func NewFar() *Far { return &Far{workqueue.NewTyped[string]()} }

func (f *Far) Run(stop <-chan struct{}) { wait.Until(f.drain, time.Second, stop) }

func (f *Far) drain() {
	for {
		if _, quit := f.queue.Get(); quit { // ok
			return
		}
	}
}
