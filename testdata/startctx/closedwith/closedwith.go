// Package closedwith goes on where a channel is closed.
package closedwith

import (
	"context"

	"example.com/operators/startctx/closedwith/feed"
)

type reader struct {
	feed feed.Feed
	use  func(any)
}

func (r *reader) lasting(ctx context.Context) error {
	numbers, err := r.feed.Lasting(ctx, "lasting")
	if err != nil {
		return err
	}
	go func(ctx context.Context, numbers <-chan int) {
		for {
			select {
			case <-ctx.Done():
				return
			case n, ok := <-numbers: // ok: ctx has ended by then
				if ok {
					r.use(n)
				}
			}
		}
	}(ctx, numbers)
	return nil
}

func (r *reader) otherContext(ctx, other context.Context) {
	numbers, _ := r.feed.Lasting(other, "other")
	r.follow(ctx, numbers)
}

func (r *reader) follow(ctx context.Context, numbers <-chan int) {
	for {
		select {
		case <-ctx.Done():
			return
		case n, ok := <-numbers: // want loop "case <-numbers does not leave the loop: once it is closed, the loop in (*reader).follow busy-waits until another case leaves it; return, or break out of the loop"
			if ok {
				r.use(n)
			}
		}
	}
}

func (r *reader) short(ctx context.Context) {
	numbers, _ := r.feed.Short(ctx, "short")
	go func(ctx context.Context, numbers <-chan int) {
		for {
			select {
			case <-ctx.Done():
				return
			case n, ok := <-numbers: // want loop "case <-numbers does not leave the loop: once it is closed, the loop in (*reader).short busy-waits until another case leaves it; return, or break out of the loop"
				if ok {
					r.use(n)
				}
			}
		}
	}(ctx, numbers)
}

func (r *reader) both(ctx context.Context) error {
	lines, fails := feed.Both(ctx, "both")
	return r.show(ctx, lines, fails)
}

func (r *reader) show(ctx context.Context, lines <-chan string, fails <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err, ok := <-fails: // ok: so are the lines by then
			if ok && err != nil {
				return err
			}
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			r.use(line)
		}
	}
}

func (r *reader) apart(ctx context.Context) error {
	lines, fails := feed.Apart(ctx)
	return r.showApart(ctx, lines, fails)
}

func (r *reader) showApart(ctx context.Context, lines <-chan string, fails <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err, ok := <-fails: // want loop "case <-fails does not leave the loop: once it is closed, the loop in (*reader).showApart busy-waits until another case leaves it; return, or break out of the loop"
			if ok && err != nil {
				return err
			}
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			r.use(line)
		}
	}
}

func (r *reader) stays(ctx context.Context) {
	lines, fails := feed.Both(ctx, "stays")
	r.goesOn(ctx, lines, fails)
}

func (r *reader) goesOn(ctx context.Context, lines <-chan string, fails <-chan error) {
	for {
		select {
		case <-ctx.Done():
			return
		case err, ok := <-fails: // want loop "case <-fails does not leave the loop: once it is closed, the loop in (*reader).goesOn busy-waits until another case leaves it; return, or break out of the loop"
			if ok {
				r.use(err)
			}
		case line, ok := <-lines: // want loop "case <-lines does not leave the loop: once it is closed, the loop in (*reader).goesOn busy-waits until another case leaves it; return, or break out of the loop"
			if ok {
				r.use(line)
			}
		}
	}
}
