package leaves

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Good counts the jobs that it is sent.
type Good struct {
	jobs chan string
	done int
}

var _ manager.Runnable = (*Good)(nil)

// NewGood has no jobs.
func NewGood() *Good { return &Good{jobs: make(chan string)} }

// Submit sends a job.
func (g *Good) Submit(job string) { g.jobs <- job }

// Start counts jobs until ctx ends.
func (g *Good) Start(ctx context.Context) error {
loop:
	for {
		select {
		case <-ctx.Done():
			break loop
		case <-g.jobs:
			g.done++
		}
	}
	return nil
}
