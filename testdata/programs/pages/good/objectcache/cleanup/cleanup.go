// Package cleanup keeps the cleanups of an object and its finalizer together.
package cleanup

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ErrGone is what a cleanup gives for something that is not there any more.
var ErrGone = errors.New("already gone")

// Func cleans one thing up.
type Func[T client.Object] func(ctx context.Context, obj T) error

type Set[T client.Object] struct {
	Client    client.Client
	Finalizer string

	names []string
	funcs []Func[T]
}

func (s *Set[T]) Register(name string, f Func[T]) *Set[T] {
	s.names, s.funcs = append(s.names, name), append(s.funcs, f)
	return s
}

// Guard puts the finalizer on an object, in the API.
func (s *Set[T]) Guard(ctx context.Context, obj T) error {
	if controllerutil.AddFinalizer(obj, s.Finalizer) {
		return s.Client.Update(ctx, obj)
	}
	return nil
}

// Run runs all cleanups and lets the object go if none has failed.
func (s *Set[T]) Run(ctx context.Context, obj T) error {
	if !controllerutil.ContainsFinalizer(obj, s.Finalizer) {
		return nil
	}
	key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
	for i, f := range s.funcs {
		if err := f(ctx, obj); err != nil && !errors.Is(err, ErrGone) {
			return fmt.Errorf("cleanup %q of %s: %w", s.names[i], key, err)
		}
	}
	controllerutil.RemoveFinalizer(obj, s.Finalizer)
	return s.Client.Update(ctx, obj)
}
