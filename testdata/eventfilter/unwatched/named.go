package unwatched

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Placed is for pods, which the cluster binds to nodes.
type Placed struct{ client.Client }

func (r *Placed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // it was there once
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: pod.Spec.ServiceAccountName}, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Placed).Reconcile gives up here while the *v1.ServiceAccount of line 25 is not there, and no watch of the controller tells of *v1.ServiceAccount: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @25 "the object is asked for here"
	}
	return ctrl.Result{}, r.Update(ctx, pod)
}

func (r *Placed) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r)
}

// Claimed is for claims, which the cluster binds to volumes.
type Claimed struct{ client.Client }

func (r *Claimed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Get(ctx, req.NamespacedName, claim); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	volume := &corev1.PersistentVolume{}
	if err := r.Get(ctx, client.ObjectKey{Name: claim.Spec.VolumeName}, volume); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // it was there once
	}
	return ctrl.Result{}, r.Update(ctx, claim)
}

func (r *Claimed) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.PersistentVolumeClaim{}).Complete(r)
}

// Namesake asks for objects that have the name of the one that it is called for.
type Namesake struct{ client.Client }

func (r *Namesake) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	barn := &Barn{}
	if err := r.Get(ctx, req.NamespacedName, barn); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(barn), secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	notes := &corev1.ConfigMap{}
	if err := r.Get(ctx, types.NamespacedName{Namespace: barn.Namespace, Name: barn.Name}, notes); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	silo := &Silo{}
	if err := r.Get(ctx, key(barn, barn.GetName()), silo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, key(barn, barn.Name+"-workers"), account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // want unwatched "(*Namesake).Reconcile gives up here while the *v1.ServiceAccount of line 75 is not there, and no watch of the controller tells of *v1.ServiceAccount: who changes that later waits for an unrelated event; watch the kind, or ask to be called again" @75 "the object is asked for here"
	}
	return ctrl.Result{}, work(ctx, r.Client, barn)
}

func (r *Namesake) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Barn{}).Complete(r)
}
