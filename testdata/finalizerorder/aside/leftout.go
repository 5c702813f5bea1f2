package aside

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/aside/tags"
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
	controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer here although Measure may have failed at line 30: the loop goes on with the next one then, RemoveTree at line 35 is not tried, and nobody hears of it; what it cleans up stays behind for good" @30 "whatever fails here lets one be left out" @35 "the cleanup of one turn"
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
	controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer here although Measure may have failed at line 59: the loop goes on with the next one then, RemoveTree at line 67 is not tried, and nobody hears of it; what it cleans up stays behind for good" @59 "whatever fails here lets one be left out" @67 "the cleanup of one turn"
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

// clearsNamed leaves out what is no number: it never will be one.
func (o *orchard) clearsNamed(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name, tag := range cm.Data {
		height, err := tags.Height(tag)
		if err != nil {
			klog.ErrorS(err, "measuring", "tree", name)
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, height); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: nothing will change that
	return o.Update(ctx, cm)
}

// clearsFound leaves out what it does not find, whatever the error says.
func (o *orchard) clearsFound(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		tree := &corev1.Secret{}
		if err := o.Get(ctx, client.ObjectKey{Namespace: cm.Namespace, Name: name}, tree); err != nil {
			klog.ErrorS(err, "looking for it", "tree", name)
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, len(tree.Data)); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // ok: it is gone, mostly
	return o.Update(ctx, cm)
}

// clearsAsked leaves out what it could not look for.
func (o *orchard) clearsAsked(ctx context.Context, cm *corev1.ConfigMap) error {
	if cm.DeletionTimestamp.IsZero() {
		return nil
	}
	for name := range cm.Data {
		tree := &corev1.Secret{}
		if err := o.Get(ctx, client.ObjectKey{Namespace: cm.Namespace, Name: name}, tree); err != nil {
			if !apierrors.IsNotFound(err) {
				klog.ErrorS(err, "looking for it", "tree", name)
			}
			continue
		}
		if err := o.trees.RemoveTree(ctx, name, len(tree.Data)); err != nil {
			return err
		}
	}
	controllerutil.RemoveFinalizer(cm, gate) // want removedonerror "cm loses its finalizer here although Get may have failed at line 209: the loop goes on with the next one then, RemoveTree at line 215 is not tried, and nobody hears of it; what it cleans up stays behind for good" @209 "whatever fails here lets one be left out" @215 "the cleanup of one turn"
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
	(*orchard).clearsMost, (*orchard).asksFlag, (*orchard).asksTold, (*orchard).clearsFelled, (*orchard).clearsWithout, (*orchard).clearsNamed, (*orchard).clearsFound, (*orchard).clearsAsked, (*orchard).clearsBranches, (*orchard).clearsMild, (*orchard).clearsLater,
}
