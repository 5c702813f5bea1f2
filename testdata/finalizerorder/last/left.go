package last

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/last/api"
)

// registry lists what belongs to others.
type registry interface {
	Pupils(ctx context.Context, namespace string) ([]api.Pupil, error)
	Actors(ctx context.Context, namespace string) ([]*api.Actor, error)
	Trees(ctx context.Context, namespace string) ([]api.Tree, error)
	Singers(ctx context.Context, namespace string) ([]*api.Singer, error)
	Tell(name string, number int)
}

type societies struct {
	reconciler
	all  registry
	more others
}

// school counts the pupils that stay.
func (p *societies) school(ctx context.Context, school *api.School) error {
	if school.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(school, guard)
		return p.Update(ctx, school)
	}
	pupils, err := p.all.Pupils(ctx, school.Namespace)
	if err != nil {
		return err
	}
	count := 0
	for i := range pupils {
		if pupils[i].DeletionTimestamp != nil {
			continue
		}
		if pupils[i].Spec.Owner == school.Name {
			count++
		}
	}
	if count > 0 {
		return errInUse
	}
	controllerutil.RemoveFinalizer(school, guard) // want notawaited "school loses its finalizer while objects of kind Pupil are being deleted: line 39 skips them, but they need it (line 55); wait for them, too" @55 "the Pupil looks it up here" @39 "objects that are being deleted are skipped here"
	return p.Update(ctx, school)
}

func (p *societies) pupil(ctx context.Context, pupil *api.Pupil) error {
	var owner api.School
	if err := p.Get(ctx, client.ObjectKey{Namespace: pupil.Namespace, Name: pupil.Spec.Owner}, &owner); err != nil {
		return err
	}
	if pupil.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(pupil, guard)
		return p.Update(ctx, pupil)
	}
	if err := p.cloud.Remove(ctx, owner.Name, pupil.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pupil, guard)
	return p.Update(ctx, pupil)
}

// theatre waits for the first actor that stays.
func (p *societies) theatre(ctx context.Context, theatre *api.Theatre) error {
	if theatre.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(theatre, guard)
		return p.Update(ctx, theatre)
	}
	actors, err := p.all.Actors(ctx, theatre.Namespace)
	if err != nil {
		return err
	}
	for _, actor := range actors {
		if actor.DeletionTimestamp.IsZero() && actor.Spec.Owner == theatre.Name {
			return errInUse
		}
	}
	controllerutil.RemoveFinalizer(theatre, guard) // want notawaited "theatre loses its finalizer while objects of kind Actor are being deleted: line 80 skips them, but they need it (line 90); wait for them, too" @90 "the Actor looks it up here" @80 "objects that are being deleted are skipped here"
	return p.Update(ctx, theatre)
}

func (p *societies) actor(ctx context.Context, actor *api.Actor) error {
	var owner api.Theatre
	if err := p.Get(ctx, client.ObjectKey{Namespace: actor.Namespace, Name: actor.Spec.Owner}, &owner); err != nil {
		return err
	}
	if actor.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(actor, guard)
		return p.Update(ctx, actor)
	}
	if err := p.cloud.Remove(ctx, owner.Name, actor.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(actor, guard)
	return p.Update(ctx, actor)
}

// garden asks a helper whether a tree stays.
func (p *societies) garden(ctx context.Context, garden *api.Garden) error {
	if garden.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(garden, guard)
		return p.Update(ctx, garden)
	}
	used, err := p.grown(ctx, garden)
	if err != nil {
		return err
	}
	if used {
		return errInUse
	}
	controllerutil.RemoveFinalizer(garden, guard) // want notawaited "garden loses its finalizer while objects of kind Tree are being deleted: line 128 skips them, but they need it (line 137); wait for them, too" @137 "the Tree looks it up here" @128 "objects that are being deleted are skipped here"
	return p.Update(ctx, garden)
}

func (p *societies) grown(ctx context.Context, garden *api.Garden) (bool, error) {
	trees, err := p.all.Trees(ctx, garden.Namespace)
	if err != nil {
		return false, err
	}
	used := false
	for i := range trees {
		if tree := &trees[i]; tree.Spec.Owner == garden.Name && tree.GetDeletionTimestamp() == nil {
			used = true
		}
	}
	return used, nil
}

func (p *societies) tree(ctx context.Context, tree *api.Tree) error {
	var owner api.Garden
	if err := p.Get(ctx, client.ObjectKey{Namespace: tree.Namespace, Name: tree.Spec.Owner}, &owner); err != nil {
		return err
	}
	if tree.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(tree, guard)
		return p.Update(ctx, tree)
	}
	if err := p.cloud.Remove(ctx, owner.Name, tree.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(tree, guard)
	return p.Update(ctx, tree)
}

// choir waits for all singers; those that stay count while it lives.
func (p *societies) choir(ctx context.Context, choir *api.Choir) error {
	singers, err := p.all.Singers(ctx, choir.Namespace)
	if err != nil {
		return err
	}
	if choir.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(choir, guard)
		if err := p.Update(ctx, choir); err != nil {
			return err
		}
		staying := 0
		for _, singer := range singers {
			if singer.DeletionTimestamp == nil {
				staying++
			}
		}
		if staying == 0 {
			return errInUse
		}
		return nil
	}
	for _, singer := range singers {
		if singer.Spec.Owner == choir.Name {
			return errInUse
		}
	}
	controllerutil.RemoveFinalizer(choir, guard)
	return p.Update(ctx, choir)
}

func (p *societies) singer(ctx context.Context, singer *api.Singer) error {
	var owner api.Choir
	if err := p.Get(ctx, client.ObjectKey{Namespace: singer.Namespace, Name: singer.Spec.Owner}, &owner); err != nil {
		return err
	}
	if singer.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(singer, guard)
		return p.Update(ctx, singer)
	}
	if err := p.cloud.Remove(ctx, owner.Name, singer.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(singer, guard)
	return p.Update(ctx, singer)
}
