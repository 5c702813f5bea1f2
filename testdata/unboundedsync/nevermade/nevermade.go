// Package nevermade has fields for channels, and puts none there.
package nevermade

import (
	"time"

	"k8s.io/client-go/tools/cache"
)

// loop is told to stop by a channel that nobody makes.
type loop struct {
	informer cache.SharedIndexInformer
	stop     chan struct{}
	done     chan struct{}
	hook     chan string
	other    chan struct{}
	fresh    chan struct{}
	ended    chan struct{}
	handed   chan struct{}
	exported
}

type exported struct{ Given chan struct{} }

func newLoop(informer cache.SharedIndexInformer, other chan struct{}) *loop {
	return &loop{informer: informer, done: make(chan struct{}), other: other}
}

func (l *loop) run() {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-tick.C:
			l.informer.HasSynced()
		case <-l.stop:
			close(l.done)
			return
		}
	}
}

func (l *loop) Stop() {
	l.stop <- struct{}{} // want neverstops "l.stop is never initialized: sending to a nil channel blocks forever; create the channel in the constructor"
	<-l.done             // ok: it is made
	<-l.other            // ok: somebody gives it
	<-l.Given            // ok: others can set it
}

// start hands a channel on that nobody makes, and end closes it.
func (l *loop) start() { go l.informer.Run(l.ended) }

func (l *loop) end() {
	close(l.ended) // want neverstops "l.ended is never initialized: closing a nil channel panics; create the channel in the constructor"
}

// give lets somebody else make it.
func (l *loop) give(set func(*chan struct{})) { set(&l.handed) }

func (l *loop) take() {
	close(l.handed) // ok: somebody has its address
}

func (l *loop) tell(name string) {
	if l.hook != nil {
		l.hook <- name // ok: it asks whether there is one
	}
}

func (l *loop) restart() {
	l.fresh = make(chan struct{})
	go l.run()
	<-l.fresh // ok: it is made here
}

// planner is cancelled once.
type planner struct {
	cancelled, ready, open bool
	plan                   chan string
	quit                   chan string
	halt                   chan string
}

func newPlanner(ready bool) *planner { return &planner{ready: ready} }

func (p *planner) cancel(by string) {
	if p.cancelled {
		return
	}
	p.cancelled = true
	p.plan <- by // want neverstops "p.plan is never initialized: sending to a nil channel blocks forever; create the channel in the constructor"
}

func (p *planner) leave(by string) {
	if !p.ready {
		p.quit <- by // ok: others set the flag
	}
}

func (p *planner) end(by string) {
	if !p.open {
		p.halt <- by // ok: nobody sets it, but for a test
	}
}

// box is generic.
type box[T any] struct{ ch chan T }

func newBox[T any]() box[T] { return box[T]{ch: make(chan T)} }

func (b box[T]) put(v T) { b.ch <- v } // ok: newBox makes it

var _ = []any{newPlanner, (*planner).cancel, (*planner).leave, (*planner).end, newBox[int], box[string].put}
