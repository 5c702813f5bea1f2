// Package renamed frees volumes before it deletes them.
package renamed

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var release = client.RawPatch(types.MergePatchType, []byte("{\"metadata\":{\"finalizers\":[]}}"))

type ref struct {
	Namespace, Name, Kind, Group string
}

type entry struct {
	ref   ref
	owned bool
}

type fleet interface {
	Client(ctx context.Context) (client.Client, error)
}

type mover struct {
	from fleet
	dry  bool
}

// drain takes what was moved away from the old place.
func (m *mover) drain(ctx context.Context, entries []*entry) error {
	backoff := wait.Backoff{Duration: time.Second, Steps: 3}
	for i := range entries {
		e := entries[i]
		if err := wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) {
			return m.drop(ctx, e) == nil, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) drop(ctx context.Context, e *entry) error {
	if e.owned || m.dry {
		return nil
	}
	from, err := m.from.Client(ctx)
	if err != nil {
		return err
	}
	old := &unstructured.Unstructured{}
	old.SetAPIVersion(e.ref.Group)
	old.SetKind(e.ref.Kind)
	if err := from.Get(ctx, client.ObjectKey{Namespace: e.ref.Namespace, Name: e.ref.Name}, old); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("reading: %w", err)
	}
	if len(old.GetFinalizers()) > 0 {
		if err := from.Patch(ctx, old, release); err != nil { // want removedbeforedelete "old loses all its finalizers before it is deleted (line 72): one added in between makes the deletion hang; delete first" @72 "the object is deleted here"
			return fmt.Errorf("freeing: %w", err)
		}
	}
	if err := from.Delete(ctx, old); err != nil {
		return fmt.Errorf("deleting: %w", err)
	}
	return nil
}

var _ = (*mover).drain
