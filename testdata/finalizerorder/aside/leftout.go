package aside

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// An orchard is cleared tree by tree.
type orchard struct {
	client.Client
	trees interface {
		Measure(ctx context.Context, name string) (int, error)
		RemoveTree(ctx context.Context, name string, height int) error
	}
}

// clearsMost leaves out the trees that cannot be measured.
func (o *orchard) clearsMost(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			klog.ErrorS(err, "measuring", "tree", name)
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer here although Measure may have failed at line 28: the loop goes on with the next one then, RemoveTree at line 33 is not tried, and nobody hears of it; what it cleans up stays behind for good" @28 "whatever fails here lets one be left out" @33 "the cleanup of one turn"
	return o.Update(ctx, cm)
}

// asksFlag is told that all are cleared, although one was left out.
func (o *orchard) asksFlag(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	cleared, err := o.clearsSome(ctx, cm)
	if err != nil || !cleared {
		return err
	}
	controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer here although Measure may have failed at line 57: the loop goes on with the next one then, RemoveTree at line 65 is not tried, and nobody hears of it; what it cleans up stays behind for good" @57 "whatever fails here lets one be left out" @65 "the cleanup of one turn"
	return o.Update(ctx, cm)
}

func (o *orchard) clearsSome(ctx context.Context, cm *corev1.ConfigMap) (bool, error) {
	cleared := true
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil && !apierrors.IsNotFound(err) {
			klog.ErrorS(err, "measuring", "tree", name)
			continue
		}
		if height > 0 {
			cleared = false
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return false, err
		}
	}
	return cleared, nil
}

// asksTold is told that one was left out.
func (o *orchard) asksTold(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	cleared, err := o.clearsAndSays(ctx, cm)
	if err != nil || !cleared {
		return err
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: none was left out
	return o.Update(ctx, cm)
}

func (o *orchard) clearsAndSays(ctx context.Context, cm *corev1.ConfigMap) (bool, error) {
	cleared := true
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			klog.ErrorS(err, "measuring", "tree", name)
			cleared = false
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return false, err
		}
	}
	return cleared, nil
}

// clearsFelled leaves out what has been felled before.
func (o *orchard) clearsFelled(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: the others are gone
	return o.Update(ctx, cm)
}

// clearsWithout goes on without what it could not measure.
func (o *orchard) clearsWithout(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			klog.ErrorS(err, "measuring", "tree", name)
			height = 1
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: none is left out
	return o.Update(ctx, cm)
}

// clearsBranches takes off one branch at least.
func (o *orchard) clearsBranches(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			klog.ErrorS(err, "measuring", "tree", name)
			height = 1
		}
		for branch := range height {
			if err := o.trees.RemoveTree(ctx, name, branch); err != nil {
				return err
			}
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: none is left out
	return o.Update(ctx, cm)
}

// clearsMild says in so many words that it may fail.
func (o *orchard) clearsMild(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			klog.InfoS("not measured, left alone", "tree", name, "err", err)
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: who says so has decided it
	return o.Update(ctx, cm)
}

// clearsLater collects what has failed, and returns it.
func (o *orchard) clearsLater(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	var failed []error
	for name := range cm.Data {
		height, err := o.trees.Measure(ctx, name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return failed[0]
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: none has failed
	return o.Update(ctx, cm)
}

var _ = []any{
	(*orchard).clearsMost, (*orchard).asksFlag, (*orchard).asksTold, (*orchard).clearsFelled, (*orchard).clearsWithout, (*orchard).clearsBranches, (*orchard).clearsMild, (*orchard).clearsLater,
}
