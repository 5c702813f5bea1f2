// Package needless has predicates that drop the deletions of which only a tombstone is known, where nobody or somebody misses them.
package needless

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// pods does nothing about a pod that is gone.
type pods struct{ client.Client }

// Reconcile returns at once.
func (r *pods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, nil
}

func confirmed() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // ok: a pod that is gone needs nothing
	}}
}

func (r *pods) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}, builder.WithPredicates(confirmed())).Complete(r)
}

// sets makes its pods again.
type sets struct{ client.Client }

// Reconcile returns at once where the set is gone, and is woken by its pods.
func (r *sets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &appsv1.ReplicaSet{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *sets) setup(mgr ctrl.Manager) error {
	own := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		if e.DeleteStateUnknown { // ok: a set that is gone needs nothing
			return false
		}
		return true
	}}
	theirs := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.ReplicaSet{}, builder.WithPredicates(own)).Owns(&corev1.Pod{}, builder.WithPredicates(theirs)).Complete(r)
}

// claims cleans up after a claim that is gone.
type claims struct {
	client.Client
	forget func(string)
}

// Reconcile forgets the claim.
func (r *claims) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, req.NamespacedName, claim); err != nil {
		if apierrors.IsNotFound(err) {
			r.forget(req.Name)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *claims) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).WithEventFilter(predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
	}}).Complete(r)
}

var _ = []any{(*pods).setup, (*sets).setup, (*claims).setup}

// again looks after quotas, and comes back to each of them after a time.
type again struct {
	client.Client
	shut bool
}

// Reconcile comes back.
func (r *again) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, failed error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		if err := r.Status().Update(ctx, quota); err != nil {
			failed = err
		}
	}()
	if !quota.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	if r.shut {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err := r.Update(ctx, quota); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Hour}, failed
}

func (r *again) setup(mgr ctrl.Manager) error {
	limits := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // ok: whoever needs the range looks for it again
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).
		Watches(&corev1.LimitRange{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(limits)).Complete(r)
}

// seldom comes back to those only that are not paused.
type seldom struct{ client.Client }

// Reconcile comes back, but for one that is paused, of which it writes the status.
func (r *seldom) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if quota.Labels["paused"] != "" {
		return ctrl.Result{}, r.Status().Update(ctx, quota)
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *seldom) setup(mgr ctrl.Manager) error {
	limits := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).
		Watches(&corev1.LimitRange{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(limits)).Complete(r)
}

// keeps a count, which one that is paused stays in when it is gone.
type keeps struct {
	client.Client
	known map[string]bool
}

// Reconcile comes back, but for one that is paused.
func (r *keeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		delete(r.known, req.Name)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if quota.Labels["paused"] != "" {
		return ctrl.Result{}, nil
	}
	r.known[req.Name] = true
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *keeps) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}, builder.WithPredicates(predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "this predicate drops delete events that have DeleteStateUnknown set: an object deleted while the watch was down is never reconciled; let them through"
	}})).Complete(r)
}
