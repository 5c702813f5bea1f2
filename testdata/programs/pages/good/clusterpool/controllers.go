// Clusters look their account up in their own deletion, and the account stays
// as long as any cluster names it, also one that is being deleted.
//
//adv:rule=finalizerorder sub=notawaited claim=no
package clusterpool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/clusterpool/internal/usage"
)

const (
	accountFinalizer = "pools.gridmint.io/account"
	clusterFinalizer = "pools.gridmint.io/cluster"
)

// Cloud may be told all things twice.
type Cloud interface {
	CreateCluster(ctx context.Context, endpoint, key string) error
	DeleteCluster(ctx context.Context, endpoint, key string) error
}

type AccountReconciler struct{ client.Client }

func (r *AccountReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	account := &usage.CloudAccount{}
	if err := r.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if account.DeletionTimestamp.IsZero() {
		if controllerutil.AddFinalizer(account, accountFinalizer) {
			return ctrl.Result{}, r.Update(ctx, account)
		}
		return ctrl.Result{}, nil
	}
	if !controllerutil.ContainsFinalizer(account, accountFinalizer) {
		return ctrl.Result{}, nil
	}
	users, err := usage.ClustersOf(ctx, r, account)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("clusters of account: %w", err)
	}
	if len(users) > 0 {
		log.FromContext(ctx).Info("account is needed", "clusters", strings.Join(users, ","))
		return ctrl.Result{RequeueAfter: 20 * time.Second}, nil
	}
	controllerutil.RemoveFinalizer(account, accountFinalizer)
	return ctrl.Result{}, r.Update(ctx, account)
}

type ClusterReconciler struct {
	client.Client
	Cloud Cloud
}

func (r *ClusterReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cluster := &usage.Cluster{}
	if err := r.Get(ctx, req.NamespacedName, cluster); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deleted := !cluster.DeletionTimestamp.IsZero()
	if deleted && !controllerutil.ContainsFinalizer(cluster, clusterFinalizer) {
		return ctrl.Result{}, nil
	}

	account := &usage.CloudAccount{}
	key := types.NamespacedName{Namespace: cluster.Namespace, Name: cluster.Spec.AccountName}
	if err := r.Get(ctx, key, account); err != nil {
		return ctrl.Result{}, fmt.Errorf("account of cluster: %w", err)
	}
	if deleted {
		if err := r.Cloud.DeleteCluster(ctx, account.Spec.Endpoint, string(cluster.UID)); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(cluster, clusterFinalizer)
		return ctrl.Result{}, r.Update(ctx, cluster)
	}

	// An account that is on its way out, or not guarded yet, gets no new ones.
	if !controllerutil.ContainsFinalizer(cluster, clusterFinalizer) {
		if !account.DeletionTimestamp.IsZero() || !controllerutil.ContainsFinalizer(account, accountFinalizer) {
			return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
		}
		controllerutil.AddFinalizer(cluster, clusterFinalizer)
		if err := r.Update(ctx, cluster); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.Cloud.CreateCluster(ctx, account.Spec.Endpoint, string(cluster.UID))
}

func Setup(mgr ctrl.Manager, cloud Cloud) error {
	if err := ctrl.NewControllerManagedBy(mgr).For(&usage.CloudAccount{}).
		Complete(&AccountReconciler{mgr.GetClient()}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&usage.Cluster{}).
		Complete(&ClusterReconciler{mgr.GetClient(), cloud})
}
