// Package pilesup has loops whose turns leave goroutines behind, and loops that do not.
package pilesup

import (
	"context"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A tender works for a while, again and again.
type tender struct{ since metav1.Time }

func (t *tender) tend(context.Context) { t.since = metav1.Now() }

// Run begins anew whenever tend comes back.
func (t *tender) Run(stop <-chan struct{}) {
	for {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { // want pilesup "each turn of this loop leaves this goroutine behind: it waits for stop alone (line 21), which outlasts the turn; let it end with the turn, too" @21 "it waits here"
			<-stop
			cancel()
		}()
		t.tend(ctx)
		select {
		case <-stop:
			return
		default:
			cancel()
		}
	}
}

// each does the same with a context.
func (t *tender) each(ctx context.Context, l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() { // want pilesup "each turn of this loop leaves this goroutine behind: it waits for ctx.Done() alone (line 42), which outlasts the turn; let it end with the turn, too" @42 "it waits here"
			<-ctx.Done()
			_ = conn.Close()
		}()
		t.tend(ctx)
	}
}

// both ends the goroutine with the turn.
func (t *tender) both(stop <-chan struct{}) {
	for {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { // ok: cancel ends it
			select {
			case <-stop:
				cancel()
			case <-ctx.Done():
			}
		}()
		t.tend(ctx)
		cancel()
	}
}

// own waits for what ends with the turn.
func (t *tender) own(parent context.Context) {
	for parent.Err() == nil {
		ctx, cancel := context.WithCancel(parent)
		go func() { // ok: the context is that of the turn
			<-ctx.Done()
			t.tend(parent)
		}()
		cancel()
	}
}

// some starts as many as there are.
func (t *tender) some(ctx context.Context, conns []net.Conn) {
	for _, c := range conns {
		go func() { // ok: one for each
			<-ctx.Done()
			_ = c.Close()
		}()
	}
}

var _ = []any{(*tender).Run, (*tender).each, (*tender).both, (*tender).own, (*tender).some}
