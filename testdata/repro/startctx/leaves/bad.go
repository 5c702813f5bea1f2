// Package leaves has a Runnable that leaves the select, and not the loop, when its context ends.
package leaves

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
func (b *Bad) Start(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done(): // want loop "case <-ctx.Done() does not leave the loop: once ctx is done, the loop in (*Bad).Start busy-waits forever; return, or break out of the loop"
			break
		case <-b.jobs:
			b.done++
		}
	}
}
