// Package onerun has locks that let one run at a time.
package onerun

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type tuner struct{ turns int }

var running sync.Mutex

// run is what the lock is for, and nobody else takes it.
func (t *tuner) run(stop <-chan struct{}) {
	running.Lock()
	defer running.Unlock()
	wait.Until(func() { t.turns++ }, time.Second, stop) // ok
}

type meter struct {
	mu    sync.Mutex
	turns int
}

func (m *meter) run(stop <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	wait.Until(func() { m.turns++ }, time.Second, stop) // want blocking/possible "m.mu (locked at line 28) is held across wait.Until, which may block forever waiting for the component to stop; unlock first" @28 "m.mu is locked here"
}

// count waits until run is over.
func (m *meter) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turns
}
