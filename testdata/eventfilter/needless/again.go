package needless

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

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
		return !e.DeleteStateUnknown // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).
		Watches(&corev1.LimitRange{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(limits)).Complete(r)
}

// rests leaves those alone that are paused, whatever comes.
type rests struct {
	client.Client
	log logr.Logger
}

// Reconcile comes back, but for one that is paused: that one is looked at again when it no longer is.
func (r *rests) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := quota.DeepCopy()
	if quota.Labels["paused"] != "" {
		r.log.Info("paused", "quota", req.Name)
		return ctrl.Result{}, nil
	}
	quota.Labels = nil
	if err := r.Patch(ctx, quota, client.MergeFrom(before)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *rests) setup(mgr ctrl.Manager) error {
	limits := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // ok: those that are not paused come again, and the others are left alone
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).
		Watches(&corev1.LimitRange{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(limits)).Complete(r)
}
