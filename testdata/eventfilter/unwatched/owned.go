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

// Led has a function of its own find the name of the owner.
type Led struct{ client.Client }

func (r *Led) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	name, owned := nodeOf(pod)
	if !owned {
		return ctrl.Result{}, nil
	}
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: an owner that is gone takes the object with it
	}
	pod.Spec.NodeName = node.Name
	return ctrl.Result{}, r.Update(ctx, pod)
}

func nodeOf(pod *corev1.Pod) (name string, owned bool) {
	for _, ref := range pod.OwnerReferences {
		if ref.Kind == "Node" {
			return ref.Name, true
		}
	}
	return "", false
}

func (r *Led) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r)
}
