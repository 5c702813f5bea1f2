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
		done <- struct{}{} // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*wallet).forgetLocked, returns because its context is done (line 54); give the channel a buffer of 1" @47 "the channel is created here" @54 "this select may take another case"
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
		done <- struct{}{} // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*wallet).forgetLater, returns because its context is done (line 68); give the channel a buffer of 1" @62 "the channel is created here" @68 "this select may take another case"
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
			done <- struct{}{} // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*wallet).forgetAll, returns because its context is done (line 84); send in a select with a case that ends it" @76 "the channel is created here" @84 "this select may take another case"
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

// forgetBoth has two sends, for which a buffer of one is not enough.
func (w *wallet) forgetBoth(ctx context.Context, name, other string) {
	done := make(chan string)
	go func() {
		delete(w.tokens, name)
		done <- name
		delete(w.tokens, other)
		done <- other // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*wallet).forgetBoth, returns because its context is done (line 102); send in a select with a case that ends it" @94 "the channel is created here" @102 "this select may take another case"
	}()
	for range 2 {
		select {
		case <-ctx.Done():
			return
		case <-done:
		}
	}
}

var _ = []any{(*wallet).forgetBoth, (*wallet).forget, (*wallet).forgetSoon, (*wallet).forgetLocked, (*wallet).forgetLater, (*wallet).forgetAll}
