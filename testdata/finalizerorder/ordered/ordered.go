// Package ordered has two reconcilers that ask the same question of an object, one of them through more functions. What
// is said of the first must not depend on which of them is looked at first: a search that is cut at some depth must not be
// remembered for those who start nearer to its end.
package ordered

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const sealed = "vault.example.com/sealed"

// Vaults looks after secrets.
type Vaults struct{ client.Client }

// Far asks whether the secret goes away through six functions.
func (v *Vaults) Far(ctx context.Context, req ctrl.Request) error {
	secret := new(corev1.Secret)
	if err := v.Get(ctx, req.NamespacedName, secret); err != nil {
		return err
	}
	if stays(secret) {
		controllerutil.AddFinalizer(secret, sealed) // ok: not for one that goes away
		return v.Update(ctx, secret)
	}
	if !secret.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(secret, sealed)
		return v.Update(ctx, secret)
	}
	return nil
}

// Near asks through two.
func (v *Vaults) Near(ctx context.Context, req ctrl.Request) error {
	secret := new(corev1.Secret)
	if err := v.Get(ctx, req.NamespacedName, secret); err != nil {
		return err
	}
	if !leaves(secret) { // ok: it asks
		controllerutil.AddFinalizer(secret, sealed)
		return v.Update(ctx, secret)
	}
	if !secret.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(secret, sealed)
		return v.Update(ctx, secret)
	}
	return nil
}

func stays(s *corev1.Secret) bool   { return !isLast(s) }
func isLast(s *corev1.Secret) bool  { return isOver(s) }
func isOver(s *corev1.Secret) bool  { return expired(s) }
func expired(s *corev1.Secret) bool { return leaves(s) }
func leaves(s *corev1.Secret) bool  { return gone(s) }
func gone(s *corev1.Secret) bool    { return !s.DeletionTimestamp.IsZero() }
