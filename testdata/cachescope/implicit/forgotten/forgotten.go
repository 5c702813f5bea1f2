// Package forgotten reads kinds of which the options of its manager name some.
package forgotten

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	live client.Reader
}

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{mgr.GetClient(), mgr.GetAPIReader()}
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Get(ctx, req.NamespacedName, &corev1.Pod{}); err != nil { // want implicit "Get of v1 Pod starts an informer that keeps every Pod of the cluster: nothing else asks the cache for one; use mgr.GetAPIReader(), DisableFor or ByObject (main.go:16 disables Endpoints, Namespace only)" @44 "it is read here, too" @main.go:15 "the manager is made here"
		return ctrl.Result{}, err
	}
	for _, read := range []func(context.Context, ctrl.Request) error{r.more, r.asked, r.sealed, r.leases} {
		if err := read(ctx, req); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := first(ctx, r.Client, &appsv1.ReplicaSetList{}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, first(ctx, r.live, &appsv1.ControllerRevisionList{}) // ok: the same function with another client
}

func (r *reconciler) more(ctx context.Context, req ctrl.Request) error {
	return r.List(ctx, &corev1.PodList{}, client.InNamespace(req.Namespace))
}

func (r *reconciler) asked(ctx context.Context, req ctrl.Request) error {
	if err := r.Get(ctx, req.NamespacedName, &corev1.ConfigMap{}); err != nil { // ok: a controller watches them
		return err
	}
	if err := r.List(ctx, &corev1.EventList{}); err != nil { // ok: ByObject restricts them
		return err
	}
	if err := r.Get(ctx, req.NamespacedName, &corev1.Endpoints{}); err != nil { // ok: DisableFor has them
		return err
	}
	if err := r.live.Get(ctx, req.NamespacedName, &corev1.Secret{}); err != nil { // ok: a live read
		return err
	}
	return r.List(ctx, &corev1.NodeList{}) // ok: a cluster has few
}

func (r *reconciler) sealed(ctx context.Context, req ctrl.Request) error {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Secret"})
	if err := r.Get(ctx, req.NamespacedName, u); err != nil { // ok: live, too
		return err
	}
	//lint:ignore ctrllint/cachescope/implicit ok: the cluster is ours, and runs these Jobs only
	return r.List(ctx, &batchv1.JobList{})
}

func (r *reconciler) leases(ctx context.Context, req ctrl.Request) error {
	for _, name := range []string{"a", "b"} {
		if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: name}, &coordinationv1.Lease{}); err != nil { // want implicit "Get of coordination.k8s.io/v1 Lease starts an informer that keeps every Lease of the cluster: nothing else asks the cache for one; restrict what it holds (main.go:16 disables Endpoints, Namespace only)" @main.go:15 "the manager is made here"
			return err
		}
	}
	return nil
}

// first reads through a client of either kind.
func first(ctx context.Context, c client.Reader, list client.ObjectList) error {
	return c.List(ctx, list, client.Limit(1)) // want implicit "List of apps/v1 ReplicaSet starts an informer that keeps every ReplicaSet of the cluster: nothing else asks the cache for one; use mgr.GetAPIReader(), DisableFor or ByObject (main.go:16 disables Endpoints, Namespace only)" @37 "it is called here" @main.go:15 "the manager is made here"
}
