// Package testutil is for tests.
package testutil

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// A Bench has what is tested.
type Bench struct {
	mu    sync.Mutex
	ready bool
}

// Start waits with the lock held.
func (b *Bench) Start(ready func(context.Context) (bool, error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return wait.PollUntilContextCancel(context.Background(), time.Second, true, ready) // ok: part of a test, which the test runner ends
}

// Check keeps the lock, where it is not ready.
func (b *Bench) Check() bool {
	b.mu.Lock()
	if !b.ready {
		return false // want leak/certain "b.mu (locked at line 27) is still held when (*Bench).Check returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @27 "b.mu is locked here"
	}
	b.mu.Unlock()
	return true
}
