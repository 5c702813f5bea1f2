package turns

import (
	"context"
	"time"
)

type key string

type supervisor struct {
	changes chan key
	running map[key]context.CancelFunc
	ending  map[key]context.CancelFunc
	sole    map[key]context.CancelFunc
	asking  map[key]context.CancelFunc
	told    map[key]context.CancelFunc
	configs map[key]string
	timed   map[key]context.CancelFunc
	timers  map[key]*time.Ticker
}

func probe(ctx context.Context, _ key) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

// Start loses the one before.
func (s *supervisor) Start(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case k := <-s.changes:
			probing, stop := context.WithCancel(ctx)
			s.running[k] = stop // want pilesup "the cancel function that was there for this key is lost, and nobody has called it: the goroutine of line 41 that belongs to it goes on beside the new one; call it first" @41 "a goroutine is started for each of them"
			go probe(probing, k)
			s.replace(ctx, k)
			s.add(ctx, k)
			s.keep(ctx, k)
			s.beside(ctx, k)
			s.configured(ctx, k)
		}
	}
}

// replace ends it first.
func (s *supervisor) replace(ctx context.Context, k key) {
	if stop, ok := s.ending[k]; ok {
		stop()
	}
	probing, stop := context.WithCancel(ctx)
	s.ending[k] = stop // ok
	go probe(probing, k)
}

// add leaves the one that is there.
func (s *supervisor) add(ctx context.Context, k key) {
	if s.sole[k] != nil {
		return
	}
	probing, stop := context.WithCancel(ctx)
	s.sole[k] = stop // ok
	go probe(probing, k)
}

func (s *supervisor) end(k key) {
	if stop, ok := s.asking[k]; ok {
		stop()
	}
}

// keep has another function do so.
func (s *supervisor) keep(ctx context.Context, k key) {
	s.end(k)
	probing, stop := context.WithCancel(ctx)
	s.asking[k] = stop // ok
	go probe(probing, k)
}

type numbered struct {
	next    int
	running map[int]context.CancelFunc
}

// handle has a number of its own for each.
func (n *numbered) handle(ctx context.Context) {
	probing, stop := context.WithCancel(ctx)
	n.next++
	id := n.next
	n.running[id] = stop // ok
	go probe(probing, "")
}

var (
	_ = (*supervisor).Start
	_ = (*numbered).handle
)

// beside asks another map, whose entries come and go with these.
func (s *supervisor) beside(ctx context.Context, k key) {
	if _, ok := s.timers[k]; ok {
		return
	}
	probing, stop := context.WithCancel(ctx)
	s.timed[k] = stop // ok
	s.timers[k] = time.NewTicker(time.Second)
	go probe(probing, k)
}

// configured asks what it has to do, and no more.
func (s *supervisor) configured(ctx context.Context, k key) {
	if _, ok := s.configs[k]; !ok {
		return
	}
	probing, stop := context.WithCancel(ctx)
	s.told[k] = stop // want pilesup "the cancel function that was there for this key is lost, and nobody has called it: the goroutine of line 122 that belongs to it goes on beside the new one; call it first" @122 "a goroutine is started for each of them"
	go probe(probing, k)
}
