package lastout

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

// Pair has two queues, and ends one.
type Pair struct {
	queue    workqueue.TypedInterface[string]
	deletion workqueue.TypedInterface[string]
}

// NewPair makes one.
func NewPair() *Pair { return &Pair{workqueue.NewTyped[string](), workqueue.NewTyped[string]()} }

func (p *Pair) Run(stop <-chan struct{}) {
	defer p.queue.ShutDown()
	go wait.Until(p.work, time.Second, stop)
	go wait.Until(p.clean, time.Second, stop) // want loop "this goroutine goes on until deletion is shut down, and nothing does that, as (*Pair).Run does with queue at line 22: it is left behind when it is asked to stop" @43 "here it works off deletion" @22 "the other queue is shut down here"
	<-stop
}

func (p *Pair) work() {
	for p.next() {
	}
}

func (p *Pair) next() bool {
	key, quit := p.queue.Get()
	if quit {
		return false
	}
	p.queue.Done(key)
	return true
}

func (p *Pair) clean() {
	for p.nextDeleted() {
	}
}

func (p *Pair) nextDeleted() bool {
	key, quit := p.deletion.Get()
	if quit {
		return false
	}
	defer p.deletion.Done(key)
	if key == "" {
		return true
	} else if err := p.remove(key); err != nil {
		p.deletion.Add(key)
	}
	return true
}

func (p *Pair) remove(string) error { return nil }

// Literal has its workers in function literals.
type Literal struct {
	queue    workqueue.TypedInterface[string]
	deletion workqueue.TypedInterface[string]
}

// NewLiteral makes one.
func NewLiteral() *Literal {
	return &Literal{workqueue.NewTyped[string](), workqueue.NewTyped[string]()}
}

func (p *Literal) Run(ctx context.Context) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		wait.UntilWithContext(ctx, p.work, time.Second)
	}()
	go func() { // want loop "this goroutine goes on until deletion is shut down, and nothing does that, as (*Literal).Run does with queue at line 85: it is left behind when it is asked to stop" @101 "here it works off deletion" @85 "the other queue is shut down here"
		wait.UntilWithContext(ctx, p.clean, time.Second)
	}()
	<-ctx.Done()
	p.queue.ShutDown()
	group.Wait()
}

func (p *Literal) work(context.Context) {
	for {
		key, quit := p.queue.Get()
		if quit {
			return
		}
		p.queue.Done(key)
	}
}

func (p *Literal) clean(context.Context) {
	for {
		key, quit := p.deletion.Get()
		if quit {
			return
		}
		p.deletion.Done(key)
	}
}

// Kept has two queues and ends neither: it may run again.
type Kept struct {
	queue    workqueue.TypedInterface[string]
	deletion workqueue.TypedInterface[string]
}

// NewKept makes one.
func NewKept() *Kept { return &Kept{workqueue.NewTyped[string](), workqueue.NewTyped[string]()} }

func (k *Kept) Run(stop <-chan struct{}) {
	go wait.Until(k.work, time.Second, stop) // ok: no other is shut down
	go wait.Until(k.clean, time.Second, stop)
	<-stop
}

func (k *Kept) work() {
	for {
		if _, quit := k.queue.Get(); quit {
			return
		}
	}
}

func (k *Kept) clean() {
	for {
		if _, quit := k.deletion.Get(); quit {
			return
		}
	}
}

// Ends has a method that ends the other.
type Ends struct {
	queue    workqueue.TypedInterface[string]
	deletion workqueue.TypedInterface[string]
}

// NewEnds makes one.
func NewEnds() *Ends { return &Ends{workqueue.NewTyped[string](), workqueue.NewTyped[string]()} }

// Stop ends the other one.
func (e *Ends) Stop() { e.deletion.ShutDown() }

func (e *Ends) Run(stop <-chan struct{}) {
	defer e.queue.ShutDown()
	go wait.Until(e.work, time.Second, stop)
	go wait.Until(e.clean, time.Second, stop) // ok: Stop ends it
	<-stop
}

func (e *Ends) work() {
	for {
		if _, quit := e.queue.Get(); quit {
			return
		}
	}
}

func (e *Ends) clean() {
	for {
		if _, quit := e.deletion.Get(); quit {
			return
		}
	}
}

// Lent has a queue of somebody else.
type Lent struct {
	queue    workqueue.TypedInterface[string]
	deletion workqueue.TypedInterface[string]
}

// NewLent makes one.
func NewLent(deletion workqueue.TypedInterface[string]) *Lent {
	return &Lent{workqueue.NewTyped[string](), deletion}
}

func (l *Lent) Run(stop <-chan struct{}) {
	defer l.queue.ShutDown()
	go wait.Until(l.work, time.Second, stop)
	go wait.Until(l.clean, time.Second, stop) // ok: who gave the queue may shut it down
	<-stop
}

func (l *Lent) work() {
	for {
		if _, quit := l.queue.Get(); quit {
			return
		}
	}
}

func (l *Lent) clean() {
	for {
		if _, quit := l.deletion.Get(); quit {
			return
		}
	}
}
