package sleeps

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Good counts its turns, one a minute.
type Good struct{ turns int }

var _ manager.Runnable = (*Good)(nil)

// Start counts until ctx ends.
func (g *Good) Start(ctx context.Context) error {
	g.count(ctx)
	return nil
}

func (g *Good) count(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		g.turns++
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
