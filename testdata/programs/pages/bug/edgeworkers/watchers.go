package edgeworkers

import (
	"context"
	"time"
)

// Pinger asks a site whether it is there.
type Pinger interface {
	Ping(ctx context.Context, address string) error
}

// probe asks the site.
type probe struct {
	address string
	cancel  context.CancelFunc
	done    chan struct{}
}

func newProbe(p Pinger, address string, every time.Duration, report func(string)) *probe {
	ctx, cancel := context.WithCancel(context.Background())
	w := &probe{address: address, cancel: cancel, done: make(chan struct{})}
	go w.run(ctx, p, every, report)
	return w
}

func (w *probe) Address() string { return w.address }

func (w *probe) Stop() {
	w.cancel()
	<-w.done
}

func (w *probe) run(ctx context.Context, p Pinger, every time.Duration, report func(string)) {
	defer close(w.done)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := p.Ping(ctx, w.address); err != nil {
			report("Unreachable")
		} else {
			report("Online")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			report("Stopped")
			return
		}
	}
}

// heartbeats waits for the site to call.
type heartbeats struct {
	address string
	beat    chan struct{}
	stop    chan struct{}
	done    chan struct{}
}

func newHeartbeats(address string, patience time.Duration, report func(string)) *heartbeats {
	w := &heartbeats{
		address: address,
		beat:    make(chan struct{}, 1),
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
	}
	go func() {
		defer close(w.done)
		defer report("Stopped")
		timer := time.NewTimer(patience)
		defer timer.Stop()
		for {
			select {
			case <-w.beat:
				timer.Reset(patience)
				report("Online")
			case <-timer.C:
				report("Silent")
			case <-w.stop:
				return
			}
		}
	}()
	return w
}

func (w *heartbeats) Address() string { return w.address }

// Beat notes that the site has called.
func (w *heartbeats) Beat() {
	select {
	case w.beat <- struct{}{}:
	default:
	}
}

func (w *heartbeats) Stop() {
	close(w.stop)
	<-w.done
}
