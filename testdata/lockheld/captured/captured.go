// Package captured hands functions on in literals around them, which helpers and libraries call with the lock held.
package captured

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type store struct {
	mu   sync.Mutex
	data map[string]string
}

func (s *store) set(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data[key] = key
}

func attempt(f func() bool) {
	for !f() {
	}
}

// again calls f in a literal that attempt calls.
func again(f func()) {
	attempt(func() bool {
		f()
		return true
	})
}

func (s *store) helper() {
	s.mu.Lock()
	defer s.mu.Unlock()
	again(func() { s.set("a") }) // want relock/certain "s.mu (locked at line 39) is locked again (captured.go:20, via the function literal, (*store).set), which deadlocks; unlock first, or call a variant that does not lock" @39 "s.mu is locked here" @41 "calls the function literal" @41 "calls (*store).set" @20 "second acquisition"
}

// later calls f on another goroutine.
func later(f func()) {
	go func() {
		f()
	}()
}

func (s *store) elsewhere() {
	s.mu.Lock()
	defer s.mu.Unlock()
	later(func() { s.set("b") }) // ok: it waits until the lock is free
}

var ticks []func()

func register(f func()) { ticks = append(ticks, f) }

// onTick has somebody call f later, with the lock.
func (s *store) onTick(f func()) {
	register(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	})
}

func (s *store) ticking() { s.onTick(func() { s.set("g") }) }

// named gives a function that calls f.
func named(f func()) func() { return func() { f() } }

func (s *store) wrapped() {
	s.mu.Lock()
	defer s.mu.Unlock()
	named(func() { s.set("c") })() // want relock/certain "s.mu (locked at line 76) is locked again (captured.go:20, via the function literal, (*store).set), which deadlocks; unlock first, or call a variant that does not lock" @76 "s.mu is locked here" @78 "calls the function literal" @78 "calls (*store).set" @20 "second acquisition"
}

func (s *store) kept() func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	return named(func() { s.set("d") }) // ok: whoever gets it calls it
}

func (s *store) retries() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { // want relock/certain "s.mu (locked at line 88) is locked again (captured.go:20, via the function literal, (*store).set), which deadlocks; unlock first, or call a variant that does not lock" @88 "s.mu is locked here" @90 "calls the function literal" @91 "calls (*store).set" @20 "second acquisition"
		s.set("e")
		return nil
	})
}

func (s *store) mutates(ctx context.Context, c client.Client) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	pod := new(corev1.Pod)
	_, err := controllerutil.CreateOrUpdate(ctx, c, pod, func() error { // want relock/certain "s.mu (locked at line 97) is locked again (captured.go:20, via the function literal, (*store).set), which deadlocks; unlock first, or call a variant that does not lock" @97 "s.mu is locked here" @100 "calls the function literal" @101 "calls (*store).set" @20 "second acquisition"
		s.set("f")
		return nil
	})
	return err
}

func (s *store) reads(ctx context.Context, c client.Client) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	pod := new(corev1.Pod)
	_, err := controllerutil.CreateOrUpdate(ctx, c, pod, func() error {
		pod.Labels = s.data // ok: it needs no lock
		return nil
	})
	return err
}
