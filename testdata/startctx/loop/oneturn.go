package loop

import (
	"context"
	"os"
	"time"

	"k8s.io/klog/v2"
)

// belt has functions that are one turn of a loop.
type belt struct {
	parcels chan int
	stop    chan struct{}
	ended   bool
}

// Start spins: the return leaves the literal.
func (b *belt) Start(ctx context.Context) error {
	for {
		func() {
			defer func() {
				if p := recover(); p != nil {
					klog.Error(p)
				}
			}()
			select {
			case <-ctx.Done(): // want loop "case <-ctx.Done() ends no more than one turn of the loop in (*belt).Start (line 33), which nothing leaves: once it is ready that loop spins" @33 "it is called again here"
				return
			case n := <-b.parcels:
				b.move(n)
			}
		}()
	}
}

func (b *belt) move(int) {}

// run spins by a method.
func (b *belt) run(ctx context.Context) {
	for {
		if err := b.turn(ctx); err != nil {
			klog.Error(err)
		}
	}
}

func (b *belt) turn(ctx context.Context) error {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-timer.C:
		b.move(0)
	case <-ctx.Done(): // want spins "case <-ctx.Done() ends no more than one turn of the loop in (*belt).run (line 42), which nothing leaves: once it is ready that loop spins" @42 "it is called again here"
		klog.Info("the end")
		return ctx.Err()
	}
	return nil
}

// asks leaves the loop by what the turn gives.
func (b *belt) asks(ctx context.Context) {
	for b.more(ctx) {
	}
}

func (b *belt) more(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false // ok: the loop asks
	case n := <-b.parcels:
		b.move(n)
	}
	return true
}

// rests comes to the next turn after a while.
func (b *belt) rests(ctx context.Context) {
	for n := range b.parcels {
		b.send(ctx, n)
	}
	for {
		b.send(ctx, <-b.parcels)
	}
}

func (b *belt) send(ctx context.Context, n int) {
	select {
	case <-ctx.Done():
		return // ok: the loop waits for the next parcel
	case b.parcels <- n:
	}
}

// notes has the loop look at what was noted.
func (b *belt) notes(ctx context.Context) {
	for !b.ended {
		b.note(ctx)
	}
}

func (b *belt) note(ctx context.Context) {
	select {
	case <-ctx.Done():
		b.ended = true // ok
	case n := <-b.parcels:
		b.move(n)
	}
}

// limits has a context of each turn.
func (b *belt) limits() {
	for {
		func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			b.within(ctx)
		}()
	}
}

func (b *belt) within(ctx context.Context) {
	select {
	case <-ctx.Done(): // ok: the next turn has another one
	case n := <-b.parcels:
		b.move(n)
	}
}

// exits ends the process.
func (b *belt) exits(ctx context.Context) {
	for {
		b.exit(ctx)
	}
}

func (b *belt) exit(ctx context.Context) {
	select {
	case <-ctx.Done():
		os.Exit(0) // ok
	case n := <-b.parcels:
		b.move(n)
	}
}

// rebuilt makes a context in each turn.
func (b *belt) rebuilt() {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		b.within(ctx)
		cancel()
	}
}

// shares has one context after the other.
func (b *belt) shares(all []context.Context) {
	for i := 0; ; i++ {
		b.within(all[i%len(all)])
	}
}

// works waits for something else before.
func (b *belt) works(ctx context.Context) {
	for {
		b.work(ctx)
	}
}

func (b *belt) work(ctx context.Context) {
	n := <-b.parcels
	select {
	case <-ctx.Done(): // ok: a parcel is first
	case <-time.After(time.Second):
		b.move(n)
	}
}

// Run runs them.
func (b *belt) Run(ctx context.Context) {
	for _, run := range []func(context.Context){b.run, b.asks, b.rests, b.notes, b.exits, b.works} {
		go run(ctx)
	}
	go b.limits()
	go b.shares([]context.Context{ctx})
	go b.rebuilt()
	<-ctx.Done()
}
