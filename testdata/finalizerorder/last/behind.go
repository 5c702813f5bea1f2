package last

import (
	"context"

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
