// Package ending has ends of watches that wait for who sends to the watcher.
package ending

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

var _ cache.Store // the package works with informers

// merged hands on the events of several watches.
type merged struct {
	result chan watch.Event
	inner  watch.Interface
	wg     sync.WaitGroup
}

func newMerged(ctx context.Context, inner watch.Interface) *merged {
	m := &merged{result: make(chan watch.Event), inner: inner}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		for e := range inner.ResultChan() {
			select {
			case m.result <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return m
}

func (m *merged) ResultChan() <-chan watch.Event { return m.result }

func (m *merged) Stop() {
	m.inner.Stop()
	m.wg.Wait() // want neverstops "m.wg.Wait waits for goroutines that may be in a send to result (line 27): who calls Stop reads no more, and nothing that it does ends the send; end what the send waits for first" @27 "the goroutine waits here"
}

// cancelled ends the context first.
type cancelled struct {
	result chan watch.Event
	inner  watch.Interface
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func newCancelled(ctx context.Context, inner watch.Interface) *cancelled {
	ctx, cancel := context.WithCancel(ctx)
	m := &cancelled{result: make(chan watch.Event), inner: inner, cancel: cancel}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		for e := range inner.ResultChan() {
			select {
			case m.result <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return m
}

func (m *cancelled) ResultChan() <-chan watch.Event { return m.result }

func (m *cancelled) Stop() {
	m.inner.Stop()
	m.cancel()
	m.wg.Wait() // ok: the context has ended
}

// drained takes what is left.
type drained struct {
	result chan watch.Event
	inner  watch.Interface
	wg     sync.WaitGroup
}

func newDrained(ctx context.Context, inner watch.Interface) *drained {
	m := &drained{result: make(chan watch.Event), inner: inner}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		for e := range inner.ResultChan() {
			select {
			case m.result <- e:
			case <-ctx.Done():
				return
			}
		}
		close(m.result)
	}()
	return m
}

func (m *drained) ResultChan() <-chan watch.Event { return m.result }

func (m *drained) Stop() {
	m.inner.Stop()
	for range m.result {
	}
	m.wg.Wait() // ok: all has been received
}

// told has a channel of its own that ends the send.
type told struct {
	result chan watch.Event
	inner  watch.Interface
	done   chan struct{}
	wg     sync.WaitGroup
}

func newTold(inner watch.Interface) *told {
	m := &told{result: make(chan watch.Event), inner: inner, done: make(chan struct{})}
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		for e := range inner.ResultChan() {
			select {
			case m.result <- e:
			case <-m.done:
				return
			}
		}
	}()
	return m
}

func (m *told) ResultChan() <-chan watch.Event { return m.result }

func (m *told) Stop() {
	close(m.done)
	m.inner.Stop()
	m.wg.Wait() // ok: the send has ended
}
