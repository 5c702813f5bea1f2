package helped

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/helped/lib"
)

type keeping struct {
	client.Client
	keeper *lib.Keeper
}

// hold lets the keeper write the finalizer on the object as it is then.
func (k *keeping) hold(ctx context.Context, req ctrl.Request) error {
	cm := &corev1.ConfigMap{}
	if err := k.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	_, err := k.keeper.AddFinalizer(ctx, cm) // ok: the keeper puts it on what it has got itself
	return err
}

// mark gives a context, and yet nobody writes the finalizer.
func (k *keeping) mark(ctx context.Context, req ctrl.Request) error {
	cm := &corev1.ConfigMap{}
	if err := k.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	_, err := k.keeper.MarkFinalizer(ctx, cm) // want notpersisted "cm gets a finalizer here in memory only: no Update or Patch of it follows in (*keeping).mark, and the change is lost"
	return err
}

// move puts the finalizers on another object, which it writes.
func (k *keeping) move(ctx context.Context, req ctrl.Request) error {
	cm, fresh := &corev1.ConfigMap{}, &corev1.ConfigMap{}
	if err := k.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	controllerutil.AddFinalizer(cm, "example.com/kept") // ok: the other one gets it
	if err := k.Get(ctx, req.NamespacedName, fresh); err != nil {
		return err
	}
	fresh.SetFinalizers(cm.GetFinalizers())
	return k.Update(ctx, fresh)
}

// before puts the finalizers on another object in front of the change.
func (k *keeping) before(ctx context.Context, req ctrl.Request) error {
	cm, fresh := &corev1.ConfigMap{}, &corev1.ConfigMap{}
	if err := k.Get(ctx, req.NamespacedName, cm); err != nil {
		return err
	}
	fresh.SetFinalizers(cm.GetFinalizers())
	controllerutil.AddFinalizer(cm, "example.com/kept") // want notpersisted "cm gets a finalizer here in memory only: no Update or Patch of it follows in (*keeping).before, and the change is lost"
	return nil
}

var _ = []any{(*keeping).hold, (*keeping).mark, (*keeping).move, (*keeping).before}
