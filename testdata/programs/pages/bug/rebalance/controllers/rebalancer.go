// SetupWithManager starts the rebalancing loop in a bare goroutine with context.TODO(): it writes to the API server on every replica, before the lease is held and after it is lost.
//
//adv:rule=startctx sub=detached claim=yes

package controllers

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const shardLabel = "search.example.com/shard"

// ShardReconciler spreads shards over indexers.
type ShardReconciler struct {
	client.Client
	Log    logr.Logger
	Period time.Duration
	Max    int32
}

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;update;patch

func (r *ShardReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := r.Log.WithValues("deployment", req.NamespacedName)
	var d appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if d.Labels[shardLabel] == "" || d.Spec.Replicas == nil || *d.Spec.Replicas <= r.Max {
		return ctrl.Result{}, nil
	}
	log.Info("too many replicas", "have", *d.Spec.Replicas, "max", r.Max)
	patch := client.MergeFrom(d.DeepCopy())
	d.Spec.Replicas = ptr.To(r.Max)
	return ctrl.Result{}, r.Patch(ctx, &d, patch)
}

func (r *ShardReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if r.Period == 0 {
		r.Period = 5 * time.Minute
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Complete(r); err != nil {
		return fmt.Errorf("shard controller: %w", err)
	}
	go r.rebalanceLoop(context.TODO())
	return nil
}

func (r *ShardReconciler) rebalanceLoop(ctx context.Context) {
	ticker := time.NewTicker(r.Period)
	defer ticker.Stop()
	for range ticker.C {
		if err := r.rebalance(ctx); err != nil {
			r.Log.Error(err, "rebalance failed")
		}
	}
}

// rebalance moves one replica from the largest shard to the smallest.
func (r *ShardReconciler) rebalance(ctx context.Context) error {
	var all appsv1.DeploymentList
	if err := r.List(ctx, &all, client.HasLabels{shardLabel}); err != nil {
		return err
	}
	items := all.Items
	if len(items) < 2 {
		return nil
	}
	sort.Slice(items, func(i, j int) bool {
		return ptr.Deref(items[i].Spec.Replicas, 1) < ptr.Deref(items[j].Spec.Replicas, 1)
	})
	low, high := &items[0], &items[len(items)-1]
	if ptr.Deref(high.Spec.Replicas, 1)-ptr.Deref(low.Spec.Replicas, 1) < 2 {
		return nil
	}
	r.Log.Info("moving a replica", "from", high.Name, "to", low.Name)
	for d, by := range map[*appsv1.Deployment]int32{low: 1, high: -1} {
		d.Spec.Replicas = ptr.To(ptr.Deref(d.Spec.Replicas, 1) + by)
		if err := r.Update(ctx, d); err != nil {
			return fmt.Errorf("scaling %s: %w", d.Name, err)
		}
	}
	return nil
}
