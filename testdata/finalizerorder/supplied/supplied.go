// Package supplied supplies cleanups to those who see to finalizers.
package supplied

import (
	"context"
	"errors"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/finalizerorder/supplied/frame"
)

type cloud interface {
	Delete(ctx context.Context, name string) error
}

var errGone = errors.New("gone")

type reconciler struct {
	log   logr.Logger
	cloud cloud
}

// quiet says that all is well whatever the cloud says.
func (r *reconciler) quiet() frame.Cleanup {
	return func(ctx context.Context, obj client.Object) error {
		if err := r.cloud.Delete(ctx, obj.GetName()); err != nil { // want removedonerror "the finalizer goes even where Delete has failed here: this function, which is called as a frame.Cleanup, says that all is well then, and frame.go:44 takes it off; return the error" @27 "what is called before the finalizer goes"
			r.log.Error(err, "cannot delete")
			return nil
		}
		return nil
	}
}

// honest tells of it, but for what is gone.
func (r *reconciler) honest() frame.Cleanup {
	return func(ctx context.Context, obj client.Object) error {
		if err := r.cloud.Delete(ctx, obj.GetName()); err != nil && !errors.Is(err, errGone) { // ok
			return err
		}
		return nil
	}
}

// notice keeps nobody.
func (r *reconciler) notice() frame.Notice {
	return func(ctx context.Context, obj client.Object) error {
		if err := r.cloud.Delete(ctx, obj.GetName()); err != nil { // ok: nobody takes a finalizer off for it
			r.log.Error(err, "cannot delete")
		}
		return nil
	}
}

// Clean has the method, and keeps its failure to itself.
func (r *reconciler) Clean(ctx context.Context, obj client.Object) error {
	if err := r.cloud.Delete(ctx, obj.GetName()); err != nil { // want removedonerror "the finalizer goes even where Delete has failed here: this function, which is called as a frame.Clean, says that all is well then, and frame.go:56 takes it off; return the error" @57 "what is called before the finalizer goes"
		r.log.Error(err, "cannot delete")
	}
	return nil
}

type careful struct{ cloud cloud }

// Clean gives what the cloud says.
func (c careful) Clean(ctx context.Context, obj client.Object) error {
	return c.cloud.Delete(ctx, obj.GetName()) // ok
}

type other struct{ cloud cloud }

// Clean is of a type that is no Cleaner.
func (o other) Clean(ctx context.Context, name string) error {
	_ = o.cloud.Delete(ctx, name) // ok
	return nil
}

func frames(r *reconciler, c client.Client) []*frame.Frame {
	return []*frame.Frame{
		{Client: c, Cleanup: r.quiet(), Notice: r.notice(), Cleaner: r},
		{Client: c, Cleanup: r.honest(), Cleaner: careful{r.cloud}},
	}
}
