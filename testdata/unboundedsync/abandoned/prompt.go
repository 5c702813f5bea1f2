package abandoned

import (
	"context"
	"sync"
	"time"
)

// A wallet has tokens.
type wallet struct {
	mu     sync.Mutex
	tokens map[string]time.Time
}

// forget leaves one behind only where its context has ended before it began.
func (w *wallet) forget(ctx context.Context, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	done := make(chan struct{})
	go func() {
		if _, ok := w.tokens[name]; ok {
			delete(w.tokens, name)
		}
		done <- struct{}{} // ok: it comes at once
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
}

// forgetSoon gives up after a time.
func (w *wallet) forgetSoon(name string) {
	done := make(chan struct{})
	go func() {
		delete(w.tokens, name)
		done <- struct{}{} // ok
	}()
	select {
	case <-time.After(time.Second):
	case <-done:
	}
}

// forgetLocked waits for the lock.
func (w *wallet) forgetLocked(ctx context.Context, name string) {
	done := make(chan struct{})
	go func() {
		w.mu.Lock()
		delete(w.tokens, name)
		w.mu.Unlock()
		done <- struct{}{} // want abandoned "this send waits forever where (*wallet).forgetLocked has returned before, as it does when its context has ended (line 54): nobody else receives from a channel without room; make it with room for one" @47 "the channel is made here" @54 "this may take another way"
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
}

// forgetLater does something else before it looks.
func (w *wallet) forgetLater(ctx context.Context, name string) {
	done := make(chan struct{})
	go func() {
		delete(w.tokens, name)
		done <- struct{}{} // want abandoned "this send waits forever where (*wallet).forgetLater has returned before, as it does when its context has ended (line 68): nobody else receives from a channel without room; make it with room for one" @62 "the channel is made here" @68 "this may take another way"
	}()
	_, _ = brew(ctx)
	select {
	case <-ctx.Done():
	case <-done:
	}
}

// forgetAll starts one after the other, and looks when all are started.
func (w *wallet) forgetAll(ctx context.Context, names []string) {
	done := make(chan struct{})
	for _, name := range names {
		go func() {
			delete(w.tokens, name)
			done <- struct{}{} // want abandoned "this send waits forever where (*wallet).forgetAll has returned before, as it does when its context has ended (line 84): nobody else receives from a channel without room; make it with room for one" @76 "the channel is made here" @84 "this may take another way"
		}()
	}
	for range names {
		select {
		case <-ctx.Done():
			return
		case <-done:
		}
	}
}

var _ = []any{(*wallet).forget, (*wallet).forgetSoon, (*wallet).forgetLocked, (*wallet).forgetLater, (*wallet).forgetAll}
