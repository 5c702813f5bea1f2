// Package ranging has goroutines that receive until a channel is closed.
package ranging

import (
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var errEmpty = errors.New("an empty name")

// Reconciler hands names to a goroutine.
type Reconciler struct {
	names []string
	seen  func(name string)
}

// Reconcile leaves the goroutine behind where a name is empty.
func (r *Reconciler) Reconcile(_ context.Context, _ reconcile.Request) (reconcile.Result, error) {
	names := make(chan string)
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		for name := range names { // want abandoned "receive blocks forever (goroutine leak) if (*Reconciler).Reconcile returns without closing the channel (line 33); close it in a deferred call" @22 "the channel is created here" @33 "returns here" @37 "it is closed here"
			r.seen(name)
		}
	}()
	for _, name := range r.names {
		if name == "" {
			return reconcile.Result{}, errEmpty
		}
		names <- name
	}
	close(names)
	group.Wait()
	return reconcile.Result{}, r.hand(context.TODO(), nil)
}

// hand leaves what it has given the channel to behind, when its context ends.
func (r *Reconciler) hand(ctx context.Context, in <-chan string) error {
	names := make(chan string)
	go r.see(names)
	for {
		select {
		case name, ok := <-in:
			if !ok {
				close(names)
				return r.closes()
			}
			names <- name
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *Reconciler) see(names <-chan string) {
	for name := range names { // want abandoned "receive blocks forever (goroutine leak) if (*Reconciler).hand returns without closing the channel (line 55); close it in a deferred call" @44 "the channel is created here" @55 "returns here" @50 "it is closed here"
		r.seen(name)
	}
}

// closes does so on all ways.
func (r *Reconciler) closes() error {
	names := make(chan string)
	go func() {
		for name := range names {
			r.seen(name)
		}
	}()
	for _, name := range r.names {
		if name == "" {
			close(names)
			return errEmpty
		}
		names <- name
	}
	close(names)
	return r.defers()
}

// defers closes at the end, however that comes.
func (r *Reconciler) defers() error {
	names := make(chan string)
	defer close(names)
	go func() {
		for name := range names {
			r.seen(name)
		}
	}()
	for _, name := range r.names {
		if name == "" {
			return errEmpty
		}
		names <- name
	}
	return r.ends(context.TODO())
}

// ends has a goroutine that ends with the context, too.
func (r *Reconciler) ends(ctx context.Context) error {
	names := make(chan string)
	go func() {
		for {
			select {
			case name, ok := <-names:
				if !ok {
					return
				}
				r.seen(name)
			case <-ctx.Done():
				return
			}
		}
	}()
	for _, name := range r.names {
		if name == "" {
			return errEmpty
		}
		names <- name
	}
	close(names)
	return r.before()
}

// before returns before the goroutine is there.
func (r *Reconciler) before() error {
	names := make(chan string)
	if len(r.names) == 0 {
		return errEmpty
	}
	go func() {
		for name := range names {
			r.seen(name)
		}
	}()
	for _, name := range r.names {
		names <- name
	}
	close(names)
	return r.filled()
}

// filled has closed the channel before anybody receives.
func (r *Reconciler) filled() error {
	names := make(chan string, len(r.names))
	for _, name := range r.names {
		names <- name
	}
	close(names)
	for range 2 {
		go func() {
			for name := range names {
				r.seen(name)
			}
		}()
	}
	return nil
}
