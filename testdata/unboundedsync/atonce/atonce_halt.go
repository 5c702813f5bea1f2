package atonce

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A halter polls until it is told to stop, by its condition.
type halter struct {
	ready func() bool
	stop  <-chan struct{}
}

// newHalter is given what stops it.
func newHalter(stop <-chan struct{}) *halter { return &halter{stop: stop} }

func (h *halter) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	return reconcile.Result{}, h.halt(ctx)
}

func (h *halter) halt(ctx context.Context) error {
	if err := wait.PollImmediateInfinite(time.Second, func() (bool, error) { // ok: the condition ends it
		select {
		case <-h.stop:
			return false, errors.New("stopped")
		default:
		}
		return h.ready(), nil
	}); err != nil {
		return err
	}
	if err := wait.PollInfinite(time.Second, func() (bool, error) { // ok
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return h.ready(), nil
	}); err != nil {
		return err
	}
	never := make(chan struct{})
	if err := wait.PollInfinite(time.Second, func() (bool, error) { // want neverstops "wait.PollInfinite may wait forever for its condition to hold: it takes neither a timeout nor a context; use a variant with a context or timeout"
		select {
		case <-never:
			return false, errors.New("stopped")
		default:
		}
		return h.ready(), nil
	}); err != nil {
		return err
	}
	return wait.PollInfinite(time.Second, func() (bool, error) { // want neverstops "wait.PollInfinite may wait forever for its condition to hold: it takes neither a timeout nor a context; use a variant with a context or timeout"
		if ctx.Err() != nil {
			h.ready = nil
		}
		return h.ready(), nil
	})
}

var _ = newHalter
