package loop

import (
	"context"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"
)

type relay struct {
	events chan string
	once   sync.Once
}

func (r *relay) forward(ctx context.Context) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*relay).forward spins, and nothing else ends the loop"
		case <-r.events:
		}
	}
}

func (r *relay) Start(ctx context.Context) error {
	r.forward(ctx) // the manager waits for it
	r.once.Do(func() {
		for {
			select {
			case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*relay).Start spins, and nothing else ends the loop"
			case <-r.events:
			}
		}
	})
	return nil
}

func (r *relay) loose(ctx context.Context) {
	for {
		select {
		case <-ctx.Done(): // want spins "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*relay).loose spins, and nothing else ends the loop"
		case <-r.events:
		}
	}
}

func (r *relay) begin(ctx context.Context) { go r.loose(ctx) }

func (r *relay) joined(ctx context.Context) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*relay).joined spins, and nothing else ends the loop"
		case <-r.events:
		}
	}
}

func (r *relay) waits(ctx context.Context) error {
	var group errgroup.Group
	group.Go(func() error {
		r.joined(ctx)
		return nil
	})
	return group.Wait()
}

func (r *relay) counted(ctx context.Context, wg *sync.WaitGroup) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once it is ready the loop in (*relay).counted spins, and nothing else ends the loop"
			case <-r.events:
			}
		}
	}()
}

func (r *relay) session(parent context.Context) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		for {
			select {
			case <-ctx.Done(): // want loop "case <-WithCancel().Done() does not leave the loop: once it is ready the loop in (*relay).session spins, and nothing else ends the loop"
			case <-r.events:
			}
		}
	}()
	<-r.events
	cancel()
}

func (r *relay) told() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		for {
			select {
			case <-ctx.Done(): // want spins "case <-NotifyContext().Done() does not leave the loop: once it is ready the loop in (*relay).told spins, and nothing else ends the loop"
			case <-r.events:
			}
		}
	}()
	<-ctx.Done()
	<-r.events
}
