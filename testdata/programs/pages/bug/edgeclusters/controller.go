// Every reconciliation of a cluster's Secret starts a probe and writes its cancel function over the one that is in the map, so each change of the Secret leaves one more probe running.
//
//adv:rule=startctx sub=pilesup claim=yes

package edgeclusters

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/pages/bug/edgeclusters/remote"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const clusterType = corev1.SecretType("edge.example.com/cluster")

// ClusterReconciler watches over the edge clusters that Secrets describe.
type ClusterReconciler struct {
	client.Client
	Interval time.Duration

	base context.Context

	mu      sync.Mutex
	cancels map[types.NamespacedName]context.CancelFunc
	state   map[types.NamespacedName]string
}

func (r *ClusterReconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.base = ctx
	r.cancels = map[types.NamespacedName]context.CancelFunc{}
	r.state = map[types.NamespacedName]string{}
	ours := predicate.NewPredicateFuncs(func(o client.Object) bool {
		s, ok := o.(*corev1.Secret)
		return ok && s.Type == clusterType
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("edgecluster").
		For(&corev1.Secret{}, builder.WithPredicates(ours)).
		Complete(r)
}

func (r *ClusterReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		r.forget(req.NamespacedName)
		logger.Info("cluster was removed")
		return ctrl.Result{}, nil
	}
	if !secret.DeletionTimestamp.IsZero() {
		r.forget(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	kubeconfig, ok := secret.Data["kubeconfig"]
	if !ok {
		return ctrl.Result{}, fmt.Errorf("secret %s has no kubeconfig", req)
	}
	r.observe(req.NamespacedName, kubeconfig)
	logger.V(1).Info("cluster is being probed", "last", r.version(req.NamespacedName))
	return ctrl.Result{}, nil
}

func (r *ClusterReconciler) observe(key types.NamespacedName, kubeconfig []byte) {
	probeCtx, cancel := context.WithCancel(r.base)
	logger := log.FromContext(r.base).WithValues("cluster", key)

	r.mu.Lock()
	r.cancels[key] = cancel
	r.mu.Unlock()

	go func() {
		err := remote.Probe(probeCtx, kubeconfig, r.Interval, func(version string, err error) {
			if err != nil {
				logger.Error(err, "cluster does not answer")
				version = "unreachable"
			}
			r.mu.Lock()
			r.state[key] = version
			r.mu.Unlock()
		})
		if err != nil {
			logger.Error(err, "probe did not start")
		}
	}()
}

func (r *ClusterReconciler) forget(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel, ok := r.cancels[key]; ok {
		cancel()
		delete(r.cancels, key)
		delete(r.state, key)
	}
}

func (r *ClusterReconciler) version(key types.NamespacedName) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state[key]
}
