// Package ignored has a Runnable that never looks at its context.
package ignored

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Bad counts the jobs that it is sent.
type Bad struct {
	jobs chan string
	done int
}

var _ manager.Runnable = (*Bad)(nil)

// NewBad has no jobs.
func NewBad() *Bad { return &Bad{jobs: make(chan string)} }

// Submit sends a job.
func (b *Bad) Submit(job string) { b.jobs <- job }

// Start counts jobs until ctx ends.
func (b *Bad) Start(ctx context.Context) error { // want ignored "(*Bad).Start ignores its context, but the receive from b.jobs can block forever at line 26: the manager cannot stop it; return when the context is done" @26 "(*Bad).Start blocks here"
	for range b.jobs {
		b.done++
	}
	return nil
}
