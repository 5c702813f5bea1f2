package loop

import (
	"context"
	"time"
)

type display struct{ shown int }

func (d *display) show() error { d.shown++; return nil }

// last shows once more when the end has come.
func (d *display) last(ctx context.Context, written <-chan string) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	done := false
	for {
		select {
		case <-ticker.C:
			err := d.show()
			if err != nil && !done {
				continue
			}
			if done {
				return
			}
		case <-written:
			done = true
		case <-ctx.Done(): // ok: the next tick leaves
			done = true
		}
	}
}

// failing does not leave where it fails to show.
func (d *display) failing(ctx context.Context) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	done := false
	for {
		select {
		case <-ticker.C:
			if err := d.show(); err != nil {
				continue
			}
			if done {
				return
			}
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*display).failing busy-waits until another case leaves it; return, or break out of the loop"
			done = true
		}
	}
}

// undone takes back what the end has noted.
func (d *display) undone(ctx context.Context, more <-chan string) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	done := false
	for {
		select {
		case <-ticker.C:
			if done {
				return
			}
		case <-more:
			done = false
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*display).undone busy-waits until another case leaves it; return, or break out of the loop"
			done = true
		}
	}
}

// stopped has no ticks any more.
func (d *display) stopped(ctx context.Context) {
	ticker := time.NewTicker(100 * time.Millisecond)
	done := false
	for {
		select {
		case <-ticker.C:
			if done {
				return
			}
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*display).stopped busy-waits until another case leaves it; return, or break out of the loop"
			done = true
			ticker.Stop()
		}
	}
}
