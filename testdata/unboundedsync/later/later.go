// Package later has functions that wait for goroutines which wait for them.
package later

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func label(context.Context, *corev1.Node) error { return nil }

// all receives when all have sent.
func all(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- label(ctx, &nodes[i])
		}()
	}
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel without room (line 25), from which all receives only after this (line 31): neither goes on; make room for all that they send, or receive before the wait" @25 "the goroutine waits here" @23 "it is started in the group here" @31 "received here"
	close(errs)
	var out error
	for err := range errs {
		out = errors.Join(out, err)
	}
	return out
}

// failed counts itself out behind the send.
func failed(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Add(1)
		go func(node *corev1.Node) {
			if err := label(ctx, node); err != nil {
				errs <- err
			}
			wg.Done()
		}(&nodes[i])
	}
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel without room (line 45), from which failed receives only after this (line 51): neither goes on; make room for all that they send, or receive before the wait" @45 "the goroutine waits here" @43 "it is started in the group here" @51 "received here"
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// given hands the channel and the group on.
func given(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Add(1)
		go one(ctx, &nodes[i], &wg, errs)
	}
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel without room (line 76), from which given receives only after this (line 68): neither goes on; make room for all that they send, or receive before the wait" @76 "the goroutine waits here" @65 "it is started in the group here" @68 "received here"
	return <-errs
}

func one(ctx context.Context, node *corev1.Node, wg *sync.WaitGroup, errs chan<- error) {
	defer wg.Done()
	answer(label(ctx, node), errs)
}

func answer(err error, errs chan<- error) { errs <- err }

// grouped does so in a group of errors.
func grouped(ctx context.Context, nodes []corev1.Node) ([]string, error) {
	g, ctx := errgroup.WithContext(ctx)
	names := make(chan string)
	for i := range nodes {
		g.Go(func() error {
			if err := label(ctx, &nodes[i]); err != nil {
				return err
			}
			names <- nodes[i].Name
			return nil
		})
	}
	if err := g.Wait(); err != nil { // want neverstops "g.Wait waits for goroutines that send to a channel without room (line 87), from which grouped receives only after this (line 96): neither goes on; make room for all that they send, or receive before the wait" @87 "the goroutine waits here" @83 "it is started in the group here" @96 "received here"
		return nil, err
	}
	close(names)
	var out []string
	for name := range names {
		out = append(out, name)
	}
	return out, nil
}

// unread is received from by nobody.
func unread(ctx context.Context, node *corev1.Node) {
	var wg sync.WaitGroup
	errs := make(chan error)
	wg.Go(func() { errs <- label(ctx, node) })
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel without room (line 106), from which nobody receives: neither goes on; make room for all that they send, or receive before the wait" @106 "the goroutine waits here" @106 "it is started in the group here"
}

// tight has room for the first failure.
func tight(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error, 1)
	for i := range nodes {
		wg.Go(func() {
			if err := label(ctx, &nodes[i]); err != nil {
				errs <- err
			}
		})
	}
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel with room for 1 (line 117), from which tight receives only after this (line 123): neither goes on where more is sent; make room for all that they send, or receive before the wait" @117 "the goroutine waits here" @115 "it is started in the group here" @123 "received here"
	close(errs)
	return <-errs
}

// pair has room for one of two.
func pair(ctx context.Context, a, b *corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error, 1)
	wg.Go(func() { errs <- label(ctx, a) })
	wg.Go(func() { errs <- label(ctx, b) })
	wg.Wait() // want neverstops "wg.Wait waits for goroutines that send to a channel with room for 1 (line 131), from which pair receives only after this (line 133): neither goes on where more is sent; make room for all that they send, or receive before the wait" @131 "the goroutine waits here" @131 "it is started in the group here" @133 "received here"
	return errors.Join(<-errs, <-errs)
}

// closed is the same, with the wait on a goroutine of its own.
func closed(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
	}
	go func() {
		wg.Wait() // ok: it keeps nobody from receiving
		close(errs)
	}()
	var out error
	for err := range errs {
		out = errors.Join(out, err)
	}
	return out
}

// collected is received from by another goroutine.
func collected(ctx context.Context, nodes []corev1.Node) (out error) {
	var wg sync.WaitGroup
	errs, done := make(chan error), make(chan struct{})
	go func() {
		defer close(done)
		for err := range errs {
			out = errors.Join(out, err)
		}
	}()
	for i := range nodes {
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
	}
	wg.Wait() // ok: the goroutine above receives
	close(errs)
	<-done
	return out
}

// first receives before it waits.
func first(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
	}
	var out error
	for range nodes {
		out = errors.Join(out, <-errs)
	}
	wg.Wait() // ok: all have been received from
	return out
}

// left lets those go that nobody hears.
func left(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Go(func() {
			select {
			case errs <- label(ctx, &nodes[i]):
			case <-ctx.Done():
			}
		})
	}
	wg.Wait() // ok: the context ends it
	return ctx.Err()
}

// tried gives up at once.
func tried(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error, 1)
	for i := range nodes {
		wg.Go(func() {
			if err := label(ctx, &nodes[i]); err != nil {
				select {
				case errs <- err:
				default:
				}
			}
		})
	}
	wg.Wait() // ok: who finds no room goes on
	close(errs)
	return <-errs
}

// roomy has room for all.
func roomy(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(nodes))
	for i := range nodes {
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
	}
	wg.Wait() // ok: each has room
	close(errs)
	return <-errs
}

// three has room for all three.
func three(ctx context.Context, a, b, c *corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error, 3)
	for _, node := range []*corev1.Node{a, b, c} {
		wg.Go(func() { errs <- label(ctx, node) })
	}
	wg.Wait() // ok: each has room
	return errors.Join(<-errs, <-errs, <-errs)
}

// once sends once.
func once(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	var first sync.Once
	errs := make(chan error, 1)
	for i := range nodes {
		wg.Go(func() {
			if err := label(ctx, &nodes[i]); err != nil {
				first.Do(func() { errs <- err })
			}
		})
	}
	wg.Wait() // ok: there is room for the first one, and no other sends
	close(errs)
	return <-errs
}

// own gives each its channel.
func own(ctx context.Context, nodes []corev1.Node) error {
	var wg sync.WaitGroup
	var all []<-chan error
	for i := range nodes {
		errs := make(chan error, 1)
		all = append(all, errs)
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
	}
	wg.Wait() // ok: each has room
	var out error
	for _, errs := range all {
		out = errors.Join(out, <-errs)
	}
	return out
}

// out leaves the group before it sends.
func out(ctx context.Context, node *corev1.Node) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	wg.Add(1)
	go func() {
		err := label(ctx, node)
		wg.Done()
		errs <- err
	}()
	wg.Wait() // ok: nobody waits for the send
	return <-errs
}

// other waits for another group.
func other(ctx context.Context, node *corev1.Node) error {
	var wg, later sync.WaitGroup
	errs := make(chan error)
	wg.Go(func() { _ = label(ctx, node) })
	later.Go(func() { errs <- label(ctx, node) })
	wg.Wait() // ok: who sends is not in this group
	err := <-errs
	later.Wait() // ok: received above
	return err
}

// handed gives the channel to another one.
func handed(ctx context.Context, node *corev1.Node, listen func(<-chan error)) {
	var wg sync.WaitGroup
	errs := make(chan error)
	listen(errs)
	wg.Go(func() { errs <- label(ctx, node) })
	wg.Wait() // ok: others may receive
}

// drained waits where nothing is left to receive.
func drained(ctx context.Context, nodes []corev1.Node) (out error) {
	var wg sync.WaitGroup
	errs := make(chan error)
	for i := range nodes {
		wg.Go(func() { errs <- label(ctx, &nodes[i]) })
		if i > 10 {
			out = errors.Join(out, <-errs)
		}
	}
	wg.Wait() // ok: some are received before, which is not counted
	return out
}

// sent gives the channel to whoever listens.
func sent(ctx context.Context, node *corev1.Node, listeners chan<- (<-chan error)) {
	var wg sync.WaitGroup
	errs := make(chan error)
	select {
	case listeners <- errs:
	case <-ctx.Done():
		return
	}
	wg.Go(func() { errs <- label(ctx, node) })
	wg.Wait() // ok: others may receive
}

// refused sends what only errors decide about, whatever they are.
func refused(ctx context.Context, nodes []corev1.Node) (out []string, err error) {
	names := make(chan string, 1)
	var g errgroup.Group
	for i := range nodes {
		g.Go(func() error {
			err := label(ctx, &nodes[i])
			if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
				names <- nodes[i].Name
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil { // want neverstops "g.Wait waits for goroutines that send to a channel with room for 1 (line 350), from which refused receives only after this (line 360): neither goes on where more is sent; make room for all that they send, or receive before the wait" @350 "the goroutine waits here" @347 "it is started in the group here" @360 "received here"
		return nil, err
	}
	close(names)
	for name := range names {
		out = append(out, name)
	}
	return out, nil
}

// master sends for one node alone.
func master(ctx context.Context, nodes []corev1.Node, is func(*corev1.Node) bool) (string, error) {
	names := make(chan string, 1)
	var g errgroup.Group
	for i := range nodes {
		g.Go(func() error {
			err := label(ctx, &nodes[i])
			if is(&nodes[i]) && !errors.Is(err, context.Canceled) {
				names <- nodes[i].Name
			}
			return err
		})
	}
	err := g.Wait() // ok
	close(names)
	return <-names, err
}

// firstOnly sends what comes first.
func firstOnly(ctx context.Context, nodes []corev1.Node) error {
	failed := make(chan error, 1)
	var told atomic.Bool
	var wg sync.WaitGroup
	for i := range nodes {
		wg.Go(func() {
			if err := label(ctx, &nodes[i]); err != nil && !told.Swap(true) {
				failed <- err
			}
		})
	}
	wg.Wait() // ok
	close(failed)
	return <-failed
}
