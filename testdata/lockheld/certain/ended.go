package certain

import (
	"context"
	"sync"
)

// A Proxy waits for a context that each way has ended.
type Proxy struct {
	mu  sync.Mutex
	ctx context.Context
}

func NewProxy(ctx context.Context, gone <-chan struct{}) *Proxy {
	own, cancel := context.WithCancel(ctx)
	p := &Proxy{ctx: own}
	go func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		select {
		case <-p.ctx.Done():
		case <-gone:
			cancel()
		}
		<-p.ctx.Done()
	}()
	return p
}

// A Stream has a context and what ends it.
type Stream struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (s *Stream) Context() context.Context { return s.ctx }

type Streams struct {
	mu  sync.Mutex
	all map[*Stream]bool
}

func (s *Streams) CancelAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.all {
		st.cancel()
		<-st.Context().Done()
	}
}

// WaitAll cancels none of them.
func (s *Streams) WaitAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st := range s.all {
		<-st.Context().Done() // want blocking/possible "s.mu (locked at line 54) is held across the receive from Stream.ctx.Done(), which may block forever waiting for the component to stop; unlock first" @54 "s.mu is locked here"
	}
}

// Half cancels some, and waits for all.
func (s *Streams) Half() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for st, hot := range s.all {
		if hot {
			st.cancel()
		}
		<-st.Context().Done() // want blocking/possible "s.mu (locked at line 63) is held across the receive from Stream.ctx.Done(), which may block forever waiting for the component to stop; unlock first" @63 "s.mu is locked here"
	}
}

// Other cancels another context than the one that it waits for.
func (s *Streams) Other(parent context.Context) {
	_, cancel := context.WithCancel(parent)
	ctx, keep := context.WithCancel(context.Background())
	s.all[&Stream{ctx, keep}] = true
	s.mu.Lock()
	defer s.mu.Unlock()
	cancel()
	<-ctx.Done() // want blocking/possible "s.mu (locked at line 78) is held across the receive from WithCancel().Done(), which may block forever waiting for the component to stop; unlock first" @78 "s.mu is locked here"
}
