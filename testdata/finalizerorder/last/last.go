// Package last has objects that others need for their own cleanup: they have to go last.
package last

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/last/api"
)

const guard = "example.com/data"

type service interface {
	Count(ctx context.Context, owner string) (int, error)
	Remove(ctx context.Context, owner, name string) error
}

type reconciler struct {
	client.Client
	cloud service
}

var errInUse = errors.New("somebody needs it")

// fleet goes although its ships may be there.
func (r *reconciler) fleet(ctx context.Context, fleet *api.Fleet) error {
	if fleet.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(fleet, guard)
		return r.Update(ctx, fleet)
	}
	controllerutil.RemoveFinalizer(fleet, guard) // want notawaited "fleet loses its finalizer while any Ship may still exist: its deletion looks up the Fleet (line 41) and cannot finish once that is gone; wait until no Ship is left" @41 "the Ship looks it up here"
	return r.Update(ctx, fleet)
}

func (r *reconciler) ship(ctx context.Context, ship *api.Ship) error {
	var owner api.Fleet
	if err := r.Get(ctx, client.ObjectKey{Namespace: ship.Namespace, Name: ship.Spec.Owner}, &owner); err != nil {
		return err
	}
	if ship.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(ship, guard)
		return r.Update(ctx, ship)
	}
	if err := r.cloud.Remove(ctx, owner.Name, ship.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(ship, guard)
	return r.Update(ctx, ship)
}

// harbor goes although boats need it, which another object leads to it.
func (r *reconciler) harbor(ctx context.Context, harbor *api.Harbor) error {
	if harbor.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(harbor, guard)
		return r.Update(ctx, harbor)
	}
	controllerutil.RemoveFinalizer(harbor, guard) // want notawaited "harbor loses its finalizer while any Boat may still exist: its deletion looks up the Harbor (line 67) and cannot finish once that is gone; wait until no Boat is left" @67 "the Boat looks it up here"
	return r.Update(ctx, harbor)
}

func (r *reconciler) boat(ctx context.Context, boat *api.Boat, chart *corev1.ConfigMap) error {
	var owner api.Harbor
	if err := r.Get(ctx, client.ObjectKey{Namespace: boat.Namespace, Name: chart.Data["harbor"]}, &owner); err != nil {
		return nil // the harbor is not there yet
	}
	if boat.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(boat, guard)
		return r.Update(ctx, boat)
	}
	controllerutil.AddFinalizer(boat, guard)
	return r.Update(ctx, boat)
}

// yard waits for its hulls.
func (r *reconciler) yard(ctx context.Context, yard *api.Yard) error {
	if yard.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(yard, guard)
		return r.Update(ctx, yard)
	}
	var hulls api.HullList
	if err := r.List(ctx, &hulls, client.InNamespace(yard.Namespace)); err != nil {
		return err
	}
	if len(hulls.Items) > 0 {
		return errInUse
	}
	controllerutil.RemoveFinalizer(yard, guard)
	return r.Update(ctx, yard)
}

func (r *reconciler) hull(ctx context.Context, hull *api.Hull) error {
	var owner api.Yard
	if err := r.Get(ctx, client.ObjectKey{Namespace: hull.Namespace, Name: hull.Spec.Owner}, &owner); err != nil {
		return err
	}
	if hull.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(hull, guard)
		return r.Update(ctx, hull)
	}
	if err := r.cloud.Remove(ctx, owner.Name, hull.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(hull, guard)
	return r.Update(ctx, hull)
}

// port waits until nobody says that a berth is there.
func (r *reconciler) port(ctx context.Context, port *api.Port) error {
	if port.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(port, guard)
		return r.Update(ctx, port)
	}
	if port.Status.InUse {
		return errInUse
	}
	controllerutil.RemoveFinalizer(port, guard)
	return r.Update(ctx, port)
}

func (r *reconciler) berth(ctx context.Context, berth *api.Berth, chart *corev1.ConfigMap) error {
	var owner api.Port
	if err := r.Get(ctx, client.ObjectKey{Namespace: berth.Namespace, Name: chart.Data["port"]}, &owner); err != nil {
		return err
	}
	if berth.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(berth, guard)
		return r.Update(ctx, berth)
	}
	if err := r.cloud.Remove(ctx, owner.Name, berth.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(berth, guard)
	return r.Update(ctx, berth)
}
