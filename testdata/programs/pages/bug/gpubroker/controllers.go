// Package gpubroker connects the broker with nodes and pods.
package gpubroker

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/gpubroker/broker"
)

const gpuResource = corev1.ResourceName("example.org/gpu")

// Setup registers the controllers.
func Setup(mgr ctrl.Manager) error {
	inv, book := broker.New(5 * time.Minute)
	c := mgr.GetClient()

	nodes := reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		node := &corev1.Node{}
		err := c.Get(ctx, req.NamespacedName, node)
		switch {
		case apierrors.IsNotFound(err):
			if n := inv.RemoveNode(req.Name); n > 0 {
				log.FromContext(ctx).Info("leases dropped with their node", "leases", n)
			}
			return reconcile.Result{}, nil
		case err != nil:
			return reconcile.Result{}, err
		}
		count := node.Status.Capacity[gpuResource]
		inv.SetNode(node.Name, int(count.Value()))
		return reconcile.Result{}, nil
	})
	if err := ctrl.NewControllerManagedBy(mgr).Named("gpu-nodes").For(&corev1.Node{}).Complete(nodes); err != nil {
		return err
	}

	pods := reconcile.Func(func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		pod := &corev1.Pod{}
		if err := c.Get(ctx, req.NamespacedName, pod); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		if pod.Spec.NodeName == "" || pod.Annotations["example.org/wants-gpu"] != "true" || pod.DeletionTimestamp != nil {
			return reconcile.Result{}, nil
		}
		id, err := book.Lease(pod.UID, pod.Spec.NodeName)
		if err != nil {
			return reconcile.Result{}, err
		}
		if pod.Annotations["example.org/gpu"] != id {
			before := pod.DeepCopy()
			pod.Annotations["example.org/gpu"] = id
			if err := c.Patch(ctx, pod, client.MergeFrom(before)); err != nil {
				return reconcile.Result{}, err
			}
		}
		return reconcile.Result{RequeueAfter: time.Minute}, nil
	})
	if err := ctrl.NewControllerManagedBy(mgr).Named("gpu-pods").For(&corev1.Pod{}).Complete(pods); err != nil {
		return err
	}

	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		wait.UntilWithContext(ctx, func(ctx context.Context) {
			for _, pod := range book.Expire(time.Now()) {
				log.FromContext(ctx).Info("lease expired", "pod", pod)
			}
		}, 30*time.Second)
		return nil
	}))
}
