package unwatched

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/operators/eventfilter/unwatched/owners"
)

// Owned has another package find the owner.
type Owned struct{ client.Client }

func (r *Owned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	node, err := owners.Node(ctx, r.Client, pod.ObjectMeta)
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // an owner that is gone takes the object with it
	}
	pod.Spec.NodeName = node.Name
	return ctrl.Result{}, r.Update(ctx, pod)
}

func (r *Owned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r)
}
