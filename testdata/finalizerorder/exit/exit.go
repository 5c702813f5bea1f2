// Package exit has reconcilers that write their object at the end, whatever has happened.
package exit

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// A disks has the disks of a cloud.
type disks interface {
	Find(ctx context.Context, name string) (bool, error)
	DeleteDisk(ctx context.Context, name string) error
	DeleteSnapshots(ctx context.Context, name string) error
	Announce(ctx context.Context, name string) error
}

// saver writes what it has at the end, whatever has happened.
type saver struct {
	reconciler
	disks disks
}

func (r *saver) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, err
	}
	defer func() {
		if err := r.Update(ctx, node); err != nil && failed == nil {
			failed = err
		}
	}()
	if !node.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, node)
	}
	return ctrl.Result{}, nil
}

func (r *saver) cleanUp(ctx context.Context, node *corev1.Node) (ctrl.Result, error) {
	if err := r.deleteDisk(ctx, node); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.disks.DeleteSnapshots(ctx, node.Name); err != nil {
		return ctrl.Result{}, err
	}
	controllerutil.RemoveFinalizer(node, guard) // ok: it is the last step
	return ctrl.Result{}, nil
}

func (r *saver) deleteDisk(ctx context.Context, node *corev1.Node) error {
	found, err := r.disks.Find(ctx, node.Name)
	if err != nil {
		return err
	}
	if !found {
		controllerutil.RemoveFinalizer(node, guard) // want writeafterremoval "node loses its finalizer before DeleteSnapshots (line 52): if that fails, the deferred write (line 37) stores the removal anyway; remove it last" @52 "this may fail" @37 "this writes the object even on errors"
		return nil
	}
	return r.disks.DeleteDisk(ctx, node.Name)
}

// succeeded saves only what has gone well.
type succeeded struct {
	reconciler
	disks disks
}

func (r *succeeded) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, err
	}
	defer func() {
		if failed == nil {
			failed = r.Update(ctx, account)
		}
	}()
	if !account.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(account, guard) // ok: it is saved only where nothing has failed
		if err := r.disks.DeleteDisk(ctx, account.Name); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// early takes it off first.
type early struct {
	reconciler
	disks disks
}

func (r *early) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, err
	}
	defer func() { failed = errors.Join(failed, r.Update(ctx, secret)) }()
	if !secret.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(secret, guard) // want writeafterremoval "secret loses its finalizer before DeleteDisk (line 110): if that fails, the deferred write (line 107) stores the removal anyway; remove it last" @110 "this may fail" @107 "this writes the object even on errors"
		if err := r.disks.DeleteDisk(ctx, secret.Name); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// announces does nothing behind it that has to be done again.
type announces struct {
	reconciler
	disks disks
}

func (r *announces) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, err
	}
	defer func() { failed = errors.Join(failed, r.Update(ctx, quota)) }()
	if !quota.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(quota, guard)
		if err := r.disks.Announce(ctx, quota.Name); err != nil { // ok: no cleanup
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// asked ends where the step says that it has taken it off.
type asked struct {
	reconciler
	disks disks
}

func (r *asked) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	limit := &corev1.LimitRange{}
	if err := r.Get(ctx, req.NamespacedName, limit); err != nil {
		return ctrl.Result{}, err
	}
	defer func() { failed = errors.Join(failed, r.Update(ctx, limit)) }()
	if !limit.DeletionTimestamp.IsZero() {
		done, err := r.releaseUnused(ctx, limit)
		if err != nil || done {
			return ctrl.Result{}, err
		}
		if err := r.disks.DeleteDisk(ctx, limit.Name); err != nil { // ok: it is not come to then
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(limit, guard)
	}
	return ctrl.Result{}, nil
}

func (r *asked) releaseUnused(ctx context.Context, limit *corev1.LimitRange) (bool, error) {
	found, err := r.disks.Find(ctx, limit.Name)
	if err != nil || found {
		return false, err
	}
	controllerutil.RemoveFinalizer(limit, guard)
	return true, nil
}

// kept saves in the deferred function what has a finalizer left, and the rest at the end.
type kept struct {
	reconciler
	disks disks
}

func (r *kept) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, req.NamespacedName, claim); err != nil {
		return ctrl.Result{}, err
	}
	defer func() {
		if len(claim.Finalizers) > 0 {
			failed = errors.Join(failed, r.Update(ctx, claim))
		}
	}()
	if !claim.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(claim, guard)
		if err := r.disks.DeleteDisk(ctx, claim.Name); err != nil { // ok: it asks before it saves
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Update(ctx, claim)
	}
	return ctrl.Result{}, nil
}
