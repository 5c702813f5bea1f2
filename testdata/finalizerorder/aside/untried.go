package aside

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A caretaker opens a gate before it can tear anything down.
type caretaker struct {
	client.Client
	site interface {
		Open(ctx context.Context, name string) error
		TearDown(ctx context.Context, name string) error
	}
}

const gate = "example.com/gate"

// whatever lets go where the gate does not open.
func (c *caretaker) whatever(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := c.site.Open(ctx, cm.Name); err != nil {
		if !cm.DeletionTimestamp.IsZero() {
			controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer on any error of Open (line 25), so TearDown (line 33) never runs; return errors other than NotFound" @25 "any error of this call removes the finalizer" @33 "this cleanup is skipped"
			return c.Update(ctx, cm)
		}
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		if err := c.site.TearDown(ctx, cm.Name); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(cm, gate)
		return c.Update(ctx, cm)
	}
	return nil
}

// gone lets go where there is no gate any more.
func (c *caretaker) gone(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := c.site.Open(ctx, cm.Name); err != nil {
		if !cm.DeletionTimestamp.IsZero() && apierrors.IsNotFound(err) {
			controllerutil.RemoveFinalizer(cm, gate) // ok: it has asked
			return c.Update(ctx, cm)
		}
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		if err := c.site.TearDown(ctx, cm.Name); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(cm, gate)
		return c.Update(ctx, cm)
	}
	return nil
}

// ignored lets go where nothing is left of the failure once it may be that there is no gate.
func (c *caretaker) ignored(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := c.site.Open(ctx, cm.Name); err != nil {
		if client.IgnoreNotFound(err) == nil && !cm.DeletionTimestamp.IsZero() {
			controllerutil.RemoveFinalizer(cm, gate) // ok: it has asked
			return c.Update(ctx, cm)
		}
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		if err := c.site.TearDown(ctx, cm.Name); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(cm, gate)
		return c.Update(ctx, cm)
	}
	return nil
}

// prepared opens for all objects before it asks for the deletion: that cleans up nothing.
func (c *caretaker) prepared(ctx context.Context, cm *corev1.ConfigMap) error {
	err := c.site.Open(ctx, cm.Name)
	if !cm.DeletionTimestamp.IsZero() && apierrors.IsForbidden(err) {
		return c.site.TearDown(ctx, cm.Name)
	}
	return c.settle(ctx, cm)
}

func (c *caretaker) settle(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.Data["state"] == "deleting" {
		controllerutil.RemoveFinalizer(cm, gate) // ok: only Open has failed
	}
	return c.Update(ctx, cm)
}

// told lets a helper ask.
func (c *caretaker) told(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	if err := c.site.Open(ctx, cm.Name); err != nil {
		return c.unlessThere(ctx, cm, err) // ok: it is told of the failure
	}
	if err := c.site.TearDown(ctx, cm.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(cm, gate)
	return c.Update(ctx, cm)
}

func (c *caretaker) unlessThere(ctx context.Context, cm *corev1.ConfigMap, err error) error {
	if !apierrors.IsNotFound(err) {
		return err
	}
	controllerutil.RemoveFinalizer(cm, gate)
	return c.Update(ctx, cm)
}

// returned does not let go.
func (c *caretaker) returned(ctx context.Context, cm *corev1.ConfigMap) error {
	if err := c.site.Open(ctx, cm.Name); err != nil {
		return err
	}
	if !cm.DeletionTimestamp.IsZero() {
		if err := c.site.TearDown(ctx, cm.Name); err != nil {
			return err
		}
		controllerutil.RemoveFinalizer(cm, gate) // ok: the cleanup has been done
		return c.Update(ctx, cm)
	}
	return nil
}

var _ = []any{(*caretaker).whatever, (*caretaker).gone, (*caretaker).ignored, (*caretaker).prepared, (*caretaker).told, (*caretaker).returned}
