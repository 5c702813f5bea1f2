// Package forever waits so as not to return.
package forever

import (
	"context"
	"sync"

	"k8s.io/client-go/tools/cache"
)

// consumer works off what comes from elsewhere.
type consumer struct {
	informer cache.SharedIndexInformer
	from     <-chan string
}

// Consume has goroutines that end, and does not itself.
func (c *consumer) Consume(ctx context.Context) error {
	forever := make(chan bool)
	go func() {
		for name := range c.from {
			c.handle(ctx, name)
		}
	}()
	<-forever // want neverstops "(*consumer).Consume waits here forever: nobody sends on the channel made at line 19, nor closes it; wait for the end of ctx" @18 "ctx is given here" @19 "the channel is made here"
	return nil
}

// Block waits for nothing.
func (c *consumer) Block(ctx context.Context) {
	go c.informer.Run(ctx.Done())
	select {} // want neverstops "(*consumer).Block waits here forever: it is a choice of nothing; wait for the end of ctx" @30 "ctx is given here"
}

// Drain returns when its goroutine does.
func (c *consumer) Drain(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for name := range c.from {
			c.handle(ctx, name)
		}
	}()
	<-done // ok: the goroutine closes it
	return nil
}

// Wait gives its channel away.
func (c *consumer) Wait(ctx context.Context, start func(context.Context, chan struct{})) {
	done := make(chan struct{})
	start(ctx, done)
	<-done // ok: somebody else has it
}

// Stay is given nothing that could end it.
func (c *consumer) Stay() {
	go c.informer.Run(nil)
	select {} // ok: nobody asks for less
}

func (c *consumer) handle(context.Context, string) {}

// stay is given a context that never ends.
func stay(ctx context.Context, c *consumer) {
	go c.handle(ctx, "")
	select {} // ok: nothing ends the context either
}

// Start lasts as long as the process.
func Start(c *consumer) { stay(context.Background(), c) }

// Park waits for a group that nobody else has.
func (c *consumer) Park(ctx context.Context) {
	go c.informer.Run(ctx.Done())
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait() // want neverstops "(*consumer).Park waits here forever: nobody says Done for what line 76 adds to the group; wait for the end of ctx" @73 "ctx is given here" @76 "the unit is added here"
}

// Remain is given nothing that could end it.
func (c *consumer) Remain() {
	go c.informer.Run(nil)
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait() // ok: nobody asks for less
}
