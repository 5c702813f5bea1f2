// Package refused adds finalizers to objects that are being deleted, and that come without them in the course of things: the reconcile has just taken them off, or
// another finalizer keeps the objects.
package refused

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/refused/steps"
)

const memberGuard = "example.com/member"

type members struct{ client.Client }

func (m *members) leave(context.Context, *corev1.Pod) error { return nil }

// handle goes on behind the cleanup, and puts the finalizer on again.
func (m *members) handle(ctx context.Context, member *corev1.Pod) error {
	if !member.DeletionTimestamp.IsZero() {
		if err := m.leave(ctx, member); err != nil {
			return err
		}
		if controllerutil.RemoveFinalizer(member, memberGuard) {
			if err := m.Update(ctx, member); err != nil {
				return err
			}
		}
	}
	if controllerutil.AddFinalizer(member, memberGuard) { // want addedagain "member gets its finalizer again here once it is being deleted and line 30 has taken it off: the object is gone then, or the API server refuses the finalizer, and each deletion ends in an error; return behind the cleanup" @30 "the finalizer goes here"
		return m.Update(ctx, member)
	}
	return nil
}

// inSteps has a helper for each half, which know nothing of each other.
func (m *members) inSteps(ctx context.Context, member *corev1.Pod) error {
	if err := steps.Finish(ctx, m.Client, member); err != nil {
		return err
	}
	return steps.Guard(ctx, m.Client, member, steps.Finalizer) // want addedagain "member gets its finalizer again here once it is being deleted and line 43 has taken it off: the object is gone then, or the API server refuses the finalizer, and each deletion ends in an error; return behind the cleanup" @43 "the finalizer goes here"
}

// saysSo has one that fails where it has taken the finalizer off.
func (m *members) saysSo(ctx context.Context, member *corev1.Pod) error {
	if err := steps.FinishAndSaySo(ctx, m.Client, member); err != nil {
		return err
	}
	return steps.Guard(ctx, m.Client, member, steps.Finalizer) // want addedbeforecheck "member may be on its way out when it gets a finalizer here: the check at line 51 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @51 "the check of the deletion timestamp"
}

var errLeft = errors.New("left")

// left is such a helper of the package.
func (m *members) left(ctx context.Context, member *corev1.Pod) error {
	if member.DeletionTimestamp == nil || !controllerutil.ContainsFinalizer(member, memberGuard) {
		return nil
	}
	controllerutil.RemoveFinalizer(member, memberGuard)
	if err := m.Update(ctx, member); err != nil {
		return err
	}
	return errLeft
}

func (m *members) withLeft(ctx context.Context, member *corev1.Pod) error {
	if err := m.left(ctx, member); err != nil {
		return err
	}
	if controllerutil.AddFinalizer(member, memberGuard) { // want addedbeforecheck "member may be on its way out when it gets a finalizer here: the check at line 72 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @72 "the check of the deletion timestamp"
		return m.Update(ctx, member)
	}
	return nil
}

// another takes one finalizer off, and adds another one, which nobody takes off again.
func (m *members) another(ctx context.Context, member *corev1.Pod) error {
	if !member.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(member, "example.com/former")
		if err := m.Update(ctx, member); err != nil {
			return err
		}
	}
	if controllerutil.AddFinalizer(member, memberGuard) { // want addedbeforecheck "member may be on its way out when it gets a finalizer here: the check at line 83 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @83 "the check of the deletion timestamp"
		return m.Update(ctx, member)
	}
	return nil
}

// readAgain looks whether the object is still there.
func (m *members) readAgain(ctx context.Context, req ctrl.Request, member *corev1.Pod) error {
	if !member.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(member, memberGuard)
		if err := m.Update(ctx, member); err != nil {
			return err
		}
	}
	if err := m.Get(ctx, req.NamespacedName, member); err != nil {
		return client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(member, memberGuard) { // want addedbeforecheck "member may be on its way out when it gets a finalizer here: the check at line 97 lets a deleted object through, and the API server refuses new finalizers on it; return once the deletion is handled" @97 "the check of the deletion timestamp"
		return m.Update(ctx, member)
	}
	return nil
}

// returns is done with the object behind the cleanup.
func (m *members) returns(ctx context.Context, member *corev1.Pod) error {
	if !member.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(member, memberGuard)
		return m.Update(ctx, member)
	}
	if controllerutil.AddFinalizer(member, memberGuard) {
		return m.Update(ctx, member)
	}
	return nil
}
