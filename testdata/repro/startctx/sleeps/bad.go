// Package sleeps has a Runnable whose loop sleeps and never looks at its context.
package sleeps

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Bad counts its turns, one a minute.
type Bad struct{ turns int }

var _ manager.Runnable = (*Bad)(nil)

// Start counts until ctx ends.
func (b *Bad) Start(ctx context.Context) error {
	b.count()
	return ctx.Err()
}

func (b *Bad) count() {
	for {
		b.turns++
		time.Sleep(time.Minute) // want loop "loop around time.Sleep in (*Bad).count never checks the context of (*Bad).Start (line 17): it continues after the manager has stopped; return when the context is done"
	}
}
