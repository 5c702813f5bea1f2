// Package feed gives channels, and closes them.
package feed

import "context"

// A Feed is what the package has for others.
type Feed interface {
	Lasting(ctx context.Context, name string) (<-chan int, error)
	Short(ctx context.Context, name string) (<-chan int, error)
}

type feed struct{ next chan int }

// New gives one.
func New() Feed { return &feed{next: make(chan int)} }

// Lasting closes the channel when ctx has ended.
func (f *feed) Lasting(ctx context.Context, name string) (<-chan int, error) {
	if name == "" {
		return nil, context.Canceled
	}
	ch := make(chan int, 1)
	go func() {
		defer close(ch)
		for {
			select {
			case <-ctx.Done():
				return
			case n := <-f.next:
				send(ctx, ch, n)
			}
		}
	}()
	return ch, nil
}

// Short closes the channel after what is first.
func (f *feed) Short(ctx context.Context, name string) (<-chan int, error) {
	ch := make(chan int, 1)
	go func() {
		defer close(ch)
		for {
			select {
			case <-ctx.Done():
				return
			case n := <-f.next:
				send(ctx, ch, n)
				if n > 0 {
					return
				}
			}
		}
	}()
	return ch, nil
}

func send(ctx context.Context, ch chan int, n int) {
	select {
	case <-ctx.Done():
	case ch <- n:
	}
}

// Both gives lines and a failure, and closes both at once.
func Both(ctx context.Context, name string) (<-chan string, <-chan error) { return both(ctx) }

func both(ctx context.Context) (<-chan string, <-chan error) {
	lines, fails := make(chan string), make(chan error, 1)
	go func() {
		defer close(lines)
		defer close(fails)
		if err := read(ctx, lines); err != nil {
			fails <- err
		}
	}()
	return lines, fails
}

// Apart closes the channels apart from each other.
func Apart(ctx context.Context) (<-chan string, <-chan error) {
	lines, fails := make(chan string), make(chan error, 1)
	go func() {
		close(fails)
		_ = read(ctx, lines)
		close(lines)
	}()
	return lines, fails
}

func read(ctx context.Context, lines chan<- string) error {
	select {
	case lines <- "":
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
