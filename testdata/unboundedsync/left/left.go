// Package left has goroutines that send to a reader which may have left.
package left

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

type sink interface {
	Send(*corev1.Pod) error
}

// stream sends one after the other.
type stream struct {
	done  chan struct{}
	pods  chan *corev1.Pod
	inner sink
}

func newStream(inner sink) *stream {
	return &stream{done: make(chan struct{}), pods: make(chan *corev1.Pod), inner: inner}
}

func (s *stream) Start() {
	go func() {
		for {
			select {
			case <-s.done:
				return
			case pod := <-s.pods:
				_ = s.inner.Send(pod)
			}
		}
	}()
}

func (s *stream) Send(pod *corev1.Pod) error {
	s.pods <- pod // want abandoned "this send waits forever once (*stream).Stop has closed done: who receives from pods leaves then (line 29), and nobody else does; select on done, too" @44 "closed here" @29 "the only one who receives"
	return nil
}

func (s *stream) Stop() { close(s.done) }

// feed hands on pods until its input is closed.
func feed(in <-chan *corev1.Pod, to sink) {
	go func() {
		for pod := range in {
			_ = to.Send(pod)
		}
	}()
}

// subscribers have a stream each.
type subscribers struct {
	mu      sync.Mutex
	streams map[string]*stream
}

func (s *subscribers) add(name string, in <-chan *corev1.Pod, inner sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := newStream(inner)
	st.Start()
	feed(in, st)
	s.streams[name] = st
}

func (s *subscribers) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.streams[name]; ok {
		st.Stop()
		delete(s.streams, name)
	}
}

// careful looks whether it has been stopped.
type careful struct {
	done chan struct{}
	pods chan *corev1.Pod
}

func (c *careful) run(handle func(*corev1.Pod)) {
	go func() {
		for {
			select {
			case <-c.done:
				return
			case pod := <-c.pods:
				handle(pod)
			}
		}
	}()
}

func (c *careful) Send(pod *corev1.Pod) error {
	select {
	case c.pods <- pod: // ok: it does not wait for who has left
	case <-c.done:
	}
	return nil
}

func (c *careful) Stop() { close(c.done) }

func handles(in <-chan *corev1.Pod, handle func(*corev1.Pod)) {
	c := &careful{done: make(chan struct{}), pods: make(chan *corev1.Pod)}
	c.run(handle)
	feed(in, c)
	c.Stop()
}

// worker is stopped when all who send have ended.
type worker struct {
	done chan struct{}
	pods chan *corev1.Pod
}

func (w *worker) run(handle func(*corev1.Pod)) {
	for {
		select {
		case <-w.done:
			return
		case pod := <-w.pods:
			handle(pod)
		}
	}
}

func (w *worker) put(pod *corev1.Pod) { w.pods <- pod } // ok: who stops the worker waits for those who send first

func (w *worker) stop() { close(w.done) }

func all(store cache.Store, handle func(*corev1.Pod)) {
	w := &worker{done: make(chan struct{}), pods: make(chan *corev1.Pod)}
	go w.run(handle)
	var wg sync.WaitGroup
	for _, obj := range store.List() {
		wg.Go(func() { feedOne(w, obj) })
	}
	wg.Wait()
	w.stop()
}

func feedOne(w *worker, obj any) {
	if pod, ok := obj.(*corev1.Pod); ok {
		w.put(pod)
	}
}

// process is stopped with the process.
type process struct {
	done chan struct{}
	pods chan *corev1.Pod
}

func (p *process) put(pod *corev1.Pod) { p.pods <- pod } // ok: what is left ends with the process

func (p *process) Run(stop <-chan struct{}, in <-chan *corev1.Pod) {
	go func() {
		for pod := range in {
			p.put(pod)
		}
	}()
	go func() {
		for {
			select {
			case <-p.done:
				return
			case <-p.pods:
			}
		}
	}()
	<-stop
	p.end()
}

func (p *process) end() { close(p.done) }

func newProcess() *process {
	return &process{done: make(chan struct{}), pods: make(chan *corev1.Pod)}
}

// drains receives what is left when it ends.
type drains struct {
	done chan struct{}
	pods chan *corev1.Pod
}

func (d *drains) run() {
	for {
		select {
		case <-d.done:
			return
		case <-d.pods:
		}
	}
}

func (d *drains) put(pod *corev1.Pod) { d.pods <- pod } // ok: whoever ends it receives

func (d *drains) end() {
	close(d.done)
	go func() {
		for range d.pods {
		}
	}()
}

func drained(in <-chan *corev1.Pod) {
	d := &drains{done: make(chan struct{}), pods: make(chan *corev1.Pod)}
	go d.run()
	go func() {
		for pod := range in {
			d.put(pod)
		}
	}()
	d.end()
}

// batch is filled and ended by one goroutine.
type batch struct {
	done chan struct{}
	pods chan *corev1.Pod
}

func (b *batch) run(handle func(*corev1.Pod)) {
	for {
		select {
		case <-b.done:
			return
		case pod := <-b.pods:
			handle(pod)
		}
	}
}

func (b *batch) put(pod *corev1.Pod) { b.pods <- pod } // ok: who ends it has sent all before

func (b *batch) end() { close(b.done) }

func batched(in <-chan *corev1.Pod, handle func(*corev1.Pod)) {
	go func() {
		b := &batch{done: make(chan struct{}), pods: make(chan *corev1.Pod)}
		go b.run(handle)
		for pod := range in {
			b.put(pod)
		}
		b.end()
	}()
}
