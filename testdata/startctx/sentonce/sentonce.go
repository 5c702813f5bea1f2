// Package sentonce sends one value where several goroutines wait for the end.
package sentonce

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/operators/startctx/sentonce/loops"
)

type controller struct {
	stop     chan struct{}
	informer cache.SharedIndexInformer
	work     chan string
}

func newController(informer cache.SharedIndexInformer) *controller {
	c := &controller{stop: make(chan struct{}), informer: informer, work: make(chan string)}
	go informer.Run(c.stop)
	go c.worker()
	return c
}

func (c *controller) worker() {
	for {
		select {
		case name := <-c.work:
			klog.Info(name)
		case <-c.stop:
			return
		}
	}
}

func (c *controller) Stop() {
	c.stop <- struct{}{} // want loop "several goroutines wait for c.stop, and the value that (*controller).Stop sends ends only one of them: the others go on; close the channel" @29 "a goroutine waits for it here" @22 "and another one here"
}

func elsewhere(failed <-chan error) {
	stop := make(chan struct{})
	go loops.Run(stop)
	klog.Error(<-failed)
	stop <- struct{}{} // want loop "several goroutines wait for this channel, and the value that elsewhere sends ends only one of them: the others go on; close the channel" @44 "a goroutine waits for it here"
}

func one(failed <-chan error) {
	stop := make(chan struct{})
	go loops.Alone(stop)
	klog.Error(<-failed)
	stop <- struct{}{} // ok: the only one who waits
}

func closes(failed <-chan error) {
	stop := make(chan struct{})
	go loops.Run(stop)
	klog.Error(<-failed)
	close(stop) // ok
}

func each(n int, failed <-chan error) {
	stop := make(chan struct{})
	go loops.Run(stop)
	klog.Error(<-failed)
	for range n {
		stop <- struct{}{} // ok: one for each
	}
}

func both(failed <-chan error) {
	stop := make(chan struct{})
	go loops.Run(stop)
	klog.Error(<-failed)
	stop <- struct{}{} // ok: one for each
	stop <- struct{}{}
}

// a ticket is for one of several workers, who go on.
func tickets(n int, turn func()) {
	tickets := make(chan struct{})
	work := func() {
		for {
			<-tickets
			turn()
		}
	}
	go work()
	go work()
	tickets <- struct{}{} // ok
}

// a semaphore is taken and given back.
func semaphore(turn func()) {
	slots := make(chan struct{}, 2)
	slots <- struct{}{} // ok
	go func() {
		turn()
		<-slots
	}()
	go func() {
		turn()
		<-slots
	}()
}

// the one waits for the other, on one goroutine.
func inOrder(failed <-chan error) {
	stop := make(chan struct{})
	go func() {
		wait.Until(func() { klog.Info("a turn") }, time.Second, stop)
		<-stop
	}()
	klog.Error(<-failed)
	stop <- struct{}{} // ok: nobody else
}

// baton goes to and fro.
func baton(first, second func()) {
	turn := make(chan struct{})
	go func() {
		<-turn
		second()
		turn <- struct{}{} // ok
	}()
	first()
	turn <- struct{}{} // ok
	<-turn
}

// either runs one of two.
type either struct{ stop chan struct{} }

func newEither(leader bool) *either {
	e := &either{stop: make(chan struct{})}
	if leader {
		go e.lead()
	} else {
		go e.follow()
	}
	return e
}

func (e *either) lead()   { <-e.stop }
func (e *either) follow() { <-e.stop }
func (e *either) Stop()   { e.stop <- struct{}{} } // ok: there is only one
