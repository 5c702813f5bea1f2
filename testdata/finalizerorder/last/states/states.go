// Package states asks what has become of something outside.
package states

import (
	"context"
	"errors"
)

// Ending and Ended are states of a tunnel.
const (
	Up     = "UP"
	Ending = "RELEASING"
	Ended  = "RELEASED"
)

// ErrEnding says that a tunnel is on its way out.
var ErrEnding = errors.New("it is on its way out")

// Tunnels tells of tunnels.
type Tunnels interface {
	Phase(ctx context.Context, id string) (string, error)
	Cut(ctx context.Context, id string) error
}

// Down takes one that is on its way out for one that is gone.
func Down(ctx context.Context, all Tunnels, id string) (down bool, err error) {
	phase, err := all.Phase(ctx, id)
	if err != nil {
		return false, err
	}
	switch phase {
	case Ending, Ended:
		return true, nil
	}
	return false, nil
}

// Open says it the other way round.
func Open(ctx context.Context, all Tunnels, id string) (bool, error) {
	phase, err := all.Phase(ctx, id)
	if err != nil {
		return false, err
	}
	return phase != Ended && phase != Ending, nil
}

// Gone waits for it.
func Gone(ctx context.Context, all Tunnels, id string) (bool, error) {
	phase, err := all.Phase(ctx, id)
	if err != nil {
		return false, err
	}
	if phase == Ending {
		return false, ErrEnding
	}
	return phase == Ended, nil
}

// Cut asks once more, and that may fail.
func Cut(ctx context.Context, all Tunnels, id string) (bool, error) {
	phase, err := all.Phase(ctx, id)
	if err != nil {
		return false, err
	}
	if phase == Ending {
		if err := all.Cut(ctx, id); err != nil {
			return false, err
		}
		return true, nil
	}
	return phase == Ended, nil
}

// Either says one thing of a tunnel, and another of what is behind it.
func Either(ctx context.Context, all Tunnels, id string) (bool, error) {
	phase, err := all.Phase(ctx, id)
	if err != nil || phase == Ending {
		return false, err
	}
	phase, err = all.Phase(ctx, id+"/behind")
	return phase == Ending, err
}

// Is reports whether a phase is none of one that is up.
func Is(phase string) bool { return phase == Ending || phase == Ended }
