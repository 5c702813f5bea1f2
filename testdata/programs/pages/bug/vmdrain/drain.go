// The drain hands context.WithoutCancel to the wait for a migration, so that an agent which never moves the machine keeps the worker for good, and the shutdown of the manager does not end it either.
//
//adv:rule=unboundedsync sub=neverstops claim=yes

package vmdrain

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	"example.com/pages/bug/vmdrain/migration"
)

const drainTaint = "vm.acme.io/drain"

var errNoHost = errors.New("no host has room")

type mover interface {
	Begin(ctx context.Context, launcher *corev1.Pod, target string) error
	Await(ctx context.Context, key client.ObjectKey, target string) error
}

// NodeReconciler empties nodes that are to be drained.
type NodeReconciler struct {
	client.Client
	mover mover
}

func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := ctrl.LoggerFrom(ctx)
	node := &corev1.Node{}
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !draining(node) {
		return ctrl.Result{}, nil
	}
	launchers := &corev1.PodList{}
	if err := r.List(ctx, launchers, client.MatchingLabels{"vm.acme.io/launcher": node.Name}); err != nil {
		return ctrl.Result{}, err
	}
	for i := range launchers.Items {
		err := r.move(ctx, node, &launchers.Items[i])
		if errors.Is(err, errNoHost) {
			logger.Info("no room for machine", "launcher", launchers.Items[i].Name)
			return ctrl.Result{RequeueAfter: 2 * time.Minute}, nil
		}
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	logger.Info("node is empty", "machines", len(launchers.Items))
	return ctrl.Result{}, nil
}

func (r *NodeReconciler) move(ctx context.Context, from *corev1.Node, launcher *corev1.Pod) error {
	target, err := r.pick(ctx, from)
	if err != nil {
		return err
	}
	if err := r.mover.Begin(ctx, launcher, target); err != nil {
		return fmt.Errorf("asking for migration: %w", err)
	}
	// A migration that has begun is seen to its end: a shutdown must not leave it half way.
	background := context.WithoutCancel(ctx)
	return r.mover.Await(background, client.ObjectKeyFromObject(launcher), target)
}

func (r *NodeReconciler) pick(ctx context.Context, not *corev1.Node) (string, error) {
	nodes := &corev1.NodeList{}
	if err := r.List(ctx, nodes, client.MatchingLabels{"vm.acme.io/host": "true"}); err != nil {
		return "", err
	}
	for i := range nodes.Items {
		if n := &nodes.Items[i]; n.Name != not.Name && !n.Spec.Unschedulable && !draining(n) {
			return n.Name, nil
		}
	}
	return "", errNoHost
}

func draining(node *corev1.Node) bool {
	for _, t := range node.Spec.Taints {
		if t.Key == drainTaint {
			return true
		}
	}
	return false
}

// SetupWithManager registers the reconciler.
func SetupWithManager(mgr ctrl.Manager) error {
	r := &NodeReconciler{
		Client: mgr.GetClient(),
		mover:  &migration.Mover{Client: mgr.GetClient(), Interval: 3 * time.Second},
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Node{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 2}).
		Complete(r)
}
