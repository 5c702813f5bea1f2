package fortests

import (
	"sync"
	"testing"
)

// A suite is shared by tests.
type suite struct {
	mu    sync.Mutex
	ready chan struct{}
}

var shared = &suite{ready: make(chan struct{})}

// Shared is for the tests of other packages.
func Shared(t *testing.T) {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.begin()
}

func (s *suite) begin() {
	var other sync.Mutex
	other.Lock()
	defer other.Unlock()
	<-s.ready // ok: who runs the tests ends the wait
}

// Used is for others, too.
func Used() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	<-shared.ready // want blocking/certain "shared.mu (locked at line 33) is held across the receive from shared.ready, which blocks forever: the package has no sender; add one" @33 "shared.mu is locked here"
}
