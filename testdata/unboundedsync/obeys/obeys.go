// Package obeys has functions that are given what could end their waits, and wait for something else. Command plain has nothing to give that ends.
package obeys

import (
	"context"

	"k8s.io/client-go/informers"
)

// Open is given nothing that ends.
func Open(ctx context.Context, factory informers.SharedInformerFactory) {
	factory.Start(nil)
	factory.WaitForCacheSync(nil) // ok: main has no stop
	<-ctx.Done()
}

// Through hands on what it is given.
func Through(ctx context.Context, factory informers.SharedInformerFactory) {
	inner(ctx, factory)
}

func inner(_ context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // ok
}

// OpenUntil is given the context that signals end.
func OpenUntil(_ context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

// Deaf is called by a program that hears signals by itself.
func Deaf(_ context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

// Closed is given a channel that somebody closes.
func Closed(_ <-chan struct{}, factory informers.SharedInformerFactory) {
	outer(factory)
}

func outer(factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

// Handed is given to others as a value.
func Handed(_ context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

// Timed calls a function of its own with a deadline.
func Timed(ctx context.Context, factory informers.SharedInformerFactory) {
	timed(ctx, factory)
}

func timed(ctx context.Context, factory informers.SharedInformerFactory) {
	ctx, cancel := context.WithTimeout(ctx, 1)
	defer cancel()
	within(ctx, factory)
}

func within(_ context.Context, factory informers.SharedInformerFactory) {
	factory.WaitForCacheSync(nil) // want neverstops "factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}

// A Stopper is run by others, in a program that asks for signals.
type Stopper struct {
	Factory informers.SharedInformerFactory
}

// Initialize is called by who has the Stopper as an interface.
func (s *Stopper) Initialize(_ <-chan struct{}) {
	s.Factory.WaitForCacheSync(nil) // want neverstops "s.Factory.WaitForCacheSync has no timeout: a nil channel is never ready, so it hangs while the API server is down; pass a channel that is closed on shutdown"
}
