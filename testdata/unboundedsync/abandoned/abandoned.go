// Package abandoned has goroutines whose answers nobody may wait for any more.
package abandoned

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var errLate = errors.New("too late")

func brew(context.Context) (metav1.Time, error) { return metav1.Now(), nil }

// order leaves when its context ends.
func order(ctx context.Context) (metav1.Time, error) {
	ready, failed := make(chan metav1.Time), make(chan error)
	go func() {
		t, err := brew(ctx)
		if err != nil {
			failed <- err
			return
		}
		ready <- t // want abandoned "send blocks forever (goroutine leak) if its only receiver, order, returns because its context is done (line 29); give the channel a buffer of 1" @20 "the channel is created here" @29 "this select may take another case"
	}()
	select {
	case t := <-ready:
		return t, nil
	case err := <-failed:
		return metav1.Time{}, err
	case <-ctx.Done():
		return metav1.Time{}, ctx.Err()
	}
}

// impatient leaves after a time.
func impatient(ctx context.Context) error {
	done := make(chan error)
	go func() {
		_, err := brew(ctx)
		done <- err // want abandoned "send blocks forever (goroutine leak) if its only receiver, impatient, returns because its timer fires (line 46); give the channel a buffer of 1" @41 "the channel is created here" @46 "this select may take another case"
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return errLate
	}
}

// roomy has room for the answer.
func roomy(ctx context.Context) error {
	done := make(chan error, 1)
	go func() {
		_, err := brew(ctx)
		done <- err // ok: there is room
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// polite does not send to nobody.
func polite(ctx context.Context) error {
	done := make(chan error)
	go func() {
		_, err := brew(ctx)
		select {
		case done <- err: // ok: it looks at the same context
		case <-ctx.Done():
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// patient waits for the answer in any case.
func patient(ctx context.Context, cancel func()) error {
	done := make(chan error)
	go func() {
		_, err := brew(ctx)
		done <- err // ok: it is waited for below
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		cancel()
		return <-done
	}
}

// handed gives the channel to another one.
func handed(ctx context.Context, listen func(chan error)) error {
	done := make(chan error)
	listen(done)
	go func() {
		_, err := brew(ctx)
		done <- err // ok: others may receive
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// told leaves word that it has gone.
func told(ctx context.Context) error {
	var left atomic.Bool
	done := make(chan error)
	go func() {
		_, err := brew(ctx)
		if !left.Load() {
			done <- err // ok: it has looked
		}
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		left.Store(true)
		return ctx.Err()
	}
}

// Start runs as long as the process: what it leaves behind ends with that.
func Start(ctx context.Context) error {
	failed := make(chan error)
	go func() {
		_, err := brew(ctx)
		failed <- err // ok: the process ends
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// gathered has a goroutine that collects, and leaves when the context ends; the ones that send do not.
func gathered(ctx context.Context, names []string) []metav1.Time {
	found, done := make(chan metav1.Time), make(chan struct{})
	var all []metav1.Time
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case t, ok := <-found:
				if !ok {
					return
				}
				all = append(all, t)
			}
		}
	}()
	var wg sync.WaitGroup
	for range names {
		wg.Go(func() {
			t, err := brew(ctx)
			if err == nil {
				found <- t // want abandoned "send blocks forever (goroutine leak) if its only receiver, another goroutine, returns because its context is done (line 160); send in a select with a case that ends it" @155 "the channel is created here" @160 "this select may take another case"
			}
		})
	}
	wg.Wait()
	close(found)
	<-done
	return all
}

// drained has one that goes on until all have sent.
func drained(ctx context.Context, names []string) []metav1.Time {
	found, done := make(chan metav1.Time), make(chan struct{})
	var all []metav1.Time
	go func() {
		defer close(done)
		for t := range found {
			all = append(all, t)
		}
	}()
	var wg sync.WaitGroup
	for range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t, err := brew(ctx)
			if err == nil {
				found <- t // ok: somebody receives until the channel is closed
			}
		}()
	}
	wg.Wait()
	close(found)
	<-done
	return all
}

// shared has several that collect: one that has left leaves the others.
func shared(ctx context.Context, names []string) {
	found := make(chan metav1.Time)
	for range names {
		go func() {
			select {
			case <-ctx.Done():
			case <-found:
			}
		}()
	}
	go func() {
		t, err := brew(ctx)
		if err == nil {
			found <- t // ok: who receives is not one goroutine
		}
	}()
}

var _ = []any{gathered, drained, shared, told, order, impatient, roomy, polite, patient, handed}
