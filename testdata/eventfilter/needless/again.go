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

// glances looks at each of them every hour, and does no more.
type glances struct {
	client.Client
	log logr.Logger
}

// Reconcile comes back.
func (r *glances) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.log.Info("seen", "quota", req.Name)
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *glances) setup(mgr ctrl.Manager) error {
	limits := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // ok: it comes again
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).
		Watches(&corev1.LimitRange{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(limits)).Complete(r)
}

// bounds leaves a quota alone for what another object says, and hears nothing when that has gone.
type bounds struct{ client.Client }

// Reconcile comes back, but where the limits are off.
func (r *bounds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	limit := &corev1.LimitRange{}
	if err := r.Get(ctx, req.NamespacedName, limit); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if limit.Labels["off"] != "" {
		return ctrl.Result{}, nil
	}
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{RequeueAfter: time.Hour}, r.Update(ctx, quota)
}

func (r *bounds) setup(mgr ctrl.Manager) error {
	limits := predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		return !e.DeleteStateUnknown // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
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
		return !e.DeleteStateUnknown // want tombstone "DeleteStateUnknown is taken for a reason to drop the event: an object that was deleted while the watch was down is never reconciled"
	}})).Complete(r)
}
