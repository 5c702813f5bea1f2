// Package loop has loops that do, or do not, end with their context.
package loop

import (
	"context"
	"errors"
	"net"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type group struct {
	ready   chan int
	pending int
	err     error
}

func (g *group) wait(ctx context.Context) error {
	var result error
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*group).wait busy-waits until another case leaves it; return, or break out of the loop"
			if !errors.Is(ctx.Err(), context.Canceled) {
				result = ctx.Err()
			}
		case n := <-g.ready:
			if n == g.pending {
				return result
			}
		}
	}
}

func breaks(ctx context.Context, in <-chan int) {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in breaks busy-waits forever; return, or break out of the loop"
			break
		case n := <-in:
			work(n)
		}
	}
}

func polls(stopCh <-chan struct{}, in chan int) {
	for {
		select {
		case <-stopCh: // want loop "case <-stopCh does not leave the loop: once it is closed, the loop in polls busy-waits forever; return, or break out of the loop"
		default:
			in <- 1
		}
	}
}

func labelled(ctx context.Context, in <-chan int) {
loop:
	for {
		select {
		case <-ctx.Done(): // ok: leaves the loop
			break loop
		case n := <-in:
			work(n)
		}
	}
	work(0)
}

func drains(ctx context.Context, in <-chan int) {
	for {
		select {
		case <-ctx.Done(): // ok: one path leaves
			select {
			case n := <-in:
				work(n)
			default:
				return
			}
		case n := <-in:
			work(n)
		}
	}
}

func flagged(ctx context.Context, in <-chan int) {
	for run := true; run; {
		select {
		case <-ctx.Done(): // ok: the condition of the loop sees it
			run = false
		case n := <-in:
			work(n)
		}
	}
}

func nilled(stop <-chan struct{}, in <-chan int) {
	for {
		select {
		case <-stop: // ok: a nil channel is never ready
			stop = nil
		case n := <-in:
			if n < 0 {
				return
			}
		}
	}
}

func renewed(ctx context.Context, in <-chan int) {
	for {
		short, cancel := context.WithTimeout(ctx, time.Second)
		select {
		case <-short.Done(): // ok: another context on each pass
		case n := <-in:
			work(n)
		}
		cancel()
	}
}

func triggered(kick <-chan struct{}, in <-chan int) {
	for {
		select {
		case <-kick: // ok: not a stop channel
			work(0)
		case n := <-in:
			work(n)
		}
	}
}

func work(int) {}

type sleeping struct{ client func() error }

func (s *sleeping) Start(ctx context.Context) error {
	s.connect()
	<-ctx.Done()
	return nil
}

func (s *sleeping) connect() {
	for {
		if s.client() == nil {
			return
		}
		time.Sleep(time.Second) // want loop "loop around time.Sleep in (*sleeping).connect never checks the context of (*sleeping).Start (line 136): it continues after the manager has stopped; return when the context is done"
	}
}

type forever struct{}

func (forever) Start(ctx context.Context) error {
	go wait.Forever(func() { work(1) }, time.Second) // ok: nobody waits for it
	<-ctx.Done()
	return nil
}

type fine struct {
	jobs  chan int
	tries int
}

func (f *fine) Start(ctx context.Context) error {
	for i := 0; i < f.tries; i++ { // ok: bounded by a counter
		time.Sleep(time.Second)
	}
	begin := time.Now()
	for {
		if time.Since(begin) > time.Minute { // ok: bounded by the clock
			break
		}
		time.Sleep(time.Second)
	}
	for { // ok: the error of step ends it, and step has ctx
		if err := f.step(ctx); err != nil {
			break
		}
		time.Sleep(time.Second)
	}
	for job := range f.jobs { // ok: ends when jobs is closed
		work(job)
	}
	for ctx.Err() == nil { // ok: asks the context
		time.Sleep(time.Second)
	}
	for {
		job, open := <-f.jobs
		if !open { // ok: ends when jobs is closed
			return nil
		}
		work(job)
	}
}

func (f *fine) step(ctx context.Context) error { return ctx.Err() }

// A door lets connections in until it is shut.
type door struct{ address string }

func (d *door) NeedLeaderElection() bool { return false }

func (d *door) Start(ctx context.Context) error {
	listener, err := net.Listen("tcp", d.address)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		_ = listener.Close()
	}()
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // ok: Accept fails once ctx has ended
			continue
		}
		_ = conn.Close()
	}
}

type watcher struct {
	events chan int
	done   chan bool
}

// loop has another case that leaves it, and tells that of its end.
func (w *watcher) loop(ctx context.Context) {
	for {
		select {
		case <-w.events:
		case <-ctx.Done(): // ok: the next turn leaves, or hangs
			w.end()
		case <-w.done:
			return
		}
	}
}

func (w *watcher) end() { w.done <- true }

// tellsOthers sends its end to somebody else, and stays.
func (w *watcher) tellsOthers(ctx context.Context, errs chan<- error) {
	for {
		select {
		case <-w.events:
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*watcher).tellsOthers busy-waits forever; return, or break out of the loop"
			errs <- ctx.Err()
		}
	}
}
