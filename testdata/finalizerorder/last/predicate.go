package last

import (
	"context"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/last/api"
	"example.com/operators/finalizerorder/last/lists"
)

// others lists what belongs to others.
type others interface {
	Ushers(ctx context.Context, namespace string) ([]api.Usher, error)
	Bakers(ctx context.Context, namespace string) ([]*api.Baker, error)
}

// cinema asks by a predicate.
func (p *societies) cinema(ctx context.Context, cinema *api.Cinema) error {
	if cinema.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(cinema, guard)
		return p.Update(ctx, cinema)
	}
	found, err := p.more.Ushers(ctx, cinema.Namespace)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(found, func(u api.Usher) bool { return u.Spec.Owner == cinema.Name && u.DeletionTimestamp == nil }) {
		return errInUse
	}
	controllerutil.RemoveFinalizer(cinema, guard) // want notawaited "cinema loses its finalizer while objects of kind Usher are being deleted: line 30 skips them, but they need it (line 39); wait for them, too" @39 "the Usher looks it up here" @30 "objects that are being deleted are skipped here"
	return p.Update(ctx, cinema)
}

func (p *societies) usher(ctx context.Context, usher *api.Usher) error {
	var owner api.Cinema
	if err := p.Get(ctx, client.ObjectKey{Namespace: usher.Namespace, Name: usher.Spec.Owner}, &owner); err != nil {
		return err
	}
	if usher.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(usher, guard)
		return p.Update(ctx, usher)
	}
	if err := p.cloud.Remove(ctx, owner.Name, usher.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(usher, guard)
	return p.Update(ctx, usher)
}

// bakery has a function say who counts.
func (p *societies) bakery(ctx context.Context, bakery *api.Bakery) error {
	if bakery.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(bakery, guard)
		return p.Update(ctx, bakery)
	}
	found, err := p.more.Bakers(ctx, bakery.Namespace)
	if err != nil {
		return err
	}
	for _, baker := range found {
		if !bakes(baker) {
			continue
		}
		if baker.Spec.Owner == bakery.Name {
			return errInUse
		}
	}
	controllerutil.RemoveFinalizer(bakery, guard) // want notawaited "bakery loses its finalizer while objects of kind Baker are being deleted: line 64 skips them, but they need it (line 79); wait for them, too" @79 "the Baker looks it up here" @64 "objects that are being deleted are skipped here"
	return p.Update(ctx, bakery)
}

func bakes(baker *api.Baker) bool { return baker.GetDeletionTimestamp() == nil }

func (p *societies) baker(ctx context.Context, baker *api.Baker) error {
	var owner api.Bakery
	if err := p.Get(ctx, client.ObjectKey{Namespace: baker.Namespace, Name: baker.Spec.Owner}, &owner); err != nil {
		return err
	}
	if baker.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(baker, guard)
		return p.Update(ctx, baker)
	}
	if err := p.cloud.Remove(ctx, owner.Name, baker.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(baker, guard)
	return p.Update(ctx, baker)
}

// library asks another package, which passes over some.
func (p *societies) library(ctx context.Context, library *api.Library) error {
	if library.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(library, guard)
		return p.Update(ctx, library)
	}
	if count, err := lists.Readers(ctx, p.Client, library.Name); err != nil || count > 0 {
		return errInUse
	}
	controllerutil.RemoveFinalizer(library, guard) // want notawaited "library loses its finalizer while objects of kind Reader are being deleted: lists.go:21 skips them, but they need it (line 108); wait for them, too" @108 "the Reader looks it up here"
	return p.Update(ctx, library)
}

func (p *societies) reader(ctx context.Context, reader *api.Reader) error {
	var owner api.Library
	if err := p.Get(ctx, client.ObjectKey{Namespace: reader.Namespace, Name: reader.Spec.Owner}, &owner); err != nil {
		return err
	}
	if reader.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(reader, guard)
		return p.Update(ctx, reader)
	}
	if err := p.cloud.Remove(ctx, owner.Name, reader.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(reader, guard)
	return p.Update(ctx, reader)
}
