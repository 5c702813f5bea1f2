// Package readers has goroutines that send to whoever reads, and readers that may stop.
package readers

import (
	"io"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

var _ cache.Store // the package works with informers

// pipe hands on what it reads, changed.
type pipe struct {
	rc   io.ReadCloser
	data chan []byte
	rest []byte
}

func newPipe(rc io.ReadCloser) *pipe {
	p := &pipe{rc: rc, data: make(chan []byte)}
	go func(ch chan []byte) { p.fill(ch) }(p.data)
	return p
}

func (p *pipe) fill(ch chan []byte) {
	defer close(ch)
	for {
		buf := make([]byte, 512)
		n, err := p.rc.Read(buf)
		if err != nil {
			return
		}
		ch <- buf[:n] // want abandoned "send blocks forever (goroutine leak) once (*pipe).Close is called: it stops the only receiver of data; select on the stop signal as well" @51 "this stops the receiver, but not the sender"
	}
}

func (p *pipe) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		var ok bool
		if p.rest, ok = <-p.data; !ok {
			return 0, io.EOF
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pipe) Close() error { return p.rc.Close() }

// ended tells the goroutine.
type ended struct {
	pipe
	done chan struct{}
	out  chan []byte
}

func (p *ended) fill() {
	for {
		buf := make([]byte, 512)
		n, err := p.rc.Read(buf)
		if err != nil {
			return
		}
		select {
		case p.out <- buf[:n]: // ok
		case <-p.done:
			return
		}
	}
}

func (p *ended) Read(b []byte) (int, error) { return copy(b, <-p.out), nil }

func (p *ended) Close() error {
	close(p.done)
	return p.rc.Close()
}

// emptied takes what is left.
type emptied struct {
	rc  io.ReadCloser
	out chan []byte
}

func (p *emptied) fill() {
	defer close(p.out)
	for {
		buf := make([]byte, 512)
		n, err := p.rc.Read(buf)
		if err != nil {
			return
		}
		p.out <- buf[:n] // ok: Close takes what is left
	}
}

func (p *emptied) Read(b []byte) (int, error) { return copy(b, <-p.out), nil }

func (p *emptied) Close() error {
	err := p.rc.Close()
	for range p.out {
	}
	return err
}

// mapped is a watch that changes the events of another one.
type mapped struct {
	in  watch.Interface
	out chan watch.Event
}

func (m *mapped) run() {
	defer close(m.out)
	for e := range m.in.ResultChan() {
		m.out <- e // want abandoned "send blocks forever (goroutine leak) once (*mapped).Stop is called: it stops the only receiver of out; select on the stop signal as well" @123 "this stops the receiver, but not the sender"
	}
}

func (m *mapped) ResultChan() <-chan watch.Event { return m.out }
func (m *mapped) Stop()                          { m.in.Stop() }

// guarded looks whether somebody is there.
type guarded struct {
	mu      sync.Mutex
	stopped bool
	out     chan watch.Event
}

func (g *guarded) send(all []watch.Event) {
	for _, e := range all {
		g.mu.Lock()
		stopped := g.stopped
		g.mu.Unlock()
		if stopped {
			return
		}
		if !g.stopped {
			g.out <- e // ok: a field says whether anybody is there
		}
	}
}

func (g *guarded) ResultChan() <-chan watch.Event { return g.out }

func (g *guarded) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
}

// translating is another watch, whose Stop knows nothing of the channel of this one.
type translating struct {
	watch.Interface
	events chan watch.Event
}

func newTranslating(inner watch.Interface) watch.Interface {
	events := make(chan watch.Event)
	go func() {
		defer close(events)
		for e := range inner.ResultChan() {
			events <- e // want abandoned "send blocks forever (goroutine leak) once Stop is called: it stops the only receiver of events; select on the stop signal as well"
		}
	}()
	return translating{inner, events}
}

func (t translating) ResultChan() <-chan watch.Event { return t.events }
