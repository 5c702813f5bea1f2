package last

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/last/api"
	"example.com/operators/finalizerorder/last/listers"
	"example.com/operators/finalizerorder/last/lists"
)

// mine waits for its carts, which another package lists in a literal.
func (r *reconciler) mine(ctx context.Context, mine *api.Mine) error {
	if mine.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(mine, guard)
		return r.Update(ctx, mine)
	}
	if found, err := lists.Carts(ctx, r.Client, mine.Name); err != nil || found {
		return errInUse
	}
	controllerutil.RemoveFinalizer(mine, guard)
	return r.Update(ctx, mine)
}

func (r *reconciler) cart(ctx context.Context, cart *api.Cart) error {
	var owner api.Mine
	if err := r.Get(ctx, client.ObjectKey{Namespace: cart.Namespace, Name: cart.Spec.Owner}, &owner); err != nil {
		return err
	}
	if cart.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(cart, guard)
		return r.Update(ctx, cart)
	}
	if err := r.cloud.Remove(ctx, owner.Name, cart.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cart, guard)
	return r.Update(ctx, cart)
}

// mill waits for its sacks, which another package lists behind an interface.
func (r *reconciler) mill(ctx context.Context, mill *api.Mill) error {
	if mill.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(mill, guard)
		return r.Update(ctx, mill)
	}
	if found, err := lists.Sacks(ctx, r.Client, mill.Name); err != nil || found {
		return errInUse
	}
	controllerutil.RemoveFinalizer(mill, guard)
	return r.Update(ctx, mill)
}

func (r *reconciler) sack(ctx context.Context, sack *api.Sack) error {
	var owner api.Mill
	if err := r.Get(ctx, client.ObjectKey{Namespace: sack.Namespace, Name: sack.Spec.Owner}, &owner); err != nil {
		return err
	}
	if sack.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(sack, guard)
		return r.Update(ctx, sack)
	}
	if err := r.cloud.Remove(ctx, owner.Name, sack.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(sack, guard)
	return r.Update(ctx, sack)
}

// barn waits for its horses, which another package lists in a cache.
func (r *reconciler) barn(ctx context.Context, barn *api.Barn, cached listers.HorseLister) error {
	if barn.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(barn, guard)
		return r.Update(ctx, barn)
	}
	if found, err := listers.Horses(cached, barn.Name); err != nil || found {
		return errInUse
	}
	controllerutil.RemoveFinalizer(barn, guard)
	return r.Update(ctx, barn)
}

func (r *reconciler) horse(ctx context.Context, horse *api.Horse) error {
	var owner api.Barn
	if err := r.Get(ctx, client.ObjectKey{Namespace: horse.Namespace, Name: horse.Spec.Owner}, &owner); err != nil {
		return err
	}
	if horse.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(horse, guard)
		return r.Update(ctx, horse)
	}
	if err := r.cloud.Remove(ctx, owner.Name, horse.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(horse, guard)
	return r.Update(ctx, horse)
}

// shed waits for its goat, which it gets in another function.
func (r *reconciler) shed(ctx context.Context, shed *api.Shed) error {
	if shed.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(shed, guard)
		return r.Update(ctx, shed)
	}
	if r.hasGoat(ctx, shed) {
		return errInUse
	}
	controllerutil.RemoveFinalizer(shed, guard)
	return r.Update(ctx, shed)
}

func (r *reconciler) hasGoat(ctx context.Context, shed *api.Shed) bool {
	var goat api.Goat
	return !apierrors.IsNotFound(r.Get(ctx, client.ObjectKeyFromObject(shed), &goat))
}

func (r *reconciler) goat(ctx context.Context, goat *api.Goat, chart *corev1.ConfigMap) error {
	var owner api.Shed
	if err := r.Get(ctx, client.ObjectKey{Namespace: goat.Namespace, Name: chart.Data["shed"]}, &owner); err != nil {
		return err
	}
	if goat.DeletionTimestamp == nil {
		controllerutil.AddFinalizer(goat, guard)
		return r.Update(ctx, goat)
	}
	if err := r.cloud.Remove(ctx, owner.Name, goat.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(goat, guard)
	return r.Update(ctx, goat)
}
