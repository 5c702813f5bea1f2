// Package plain reads one Secret and keeps all of the cluster.
package plain

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A Reader embeds the client in an interface of its own.
type Reader interface{ client.Reader }

type reconciler struct {
	client.Client
	secrets Reader
}

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient()}
	r.secrets = r.Client
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, "spec.nodeName", node); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Complete(r)
}

func node(obj client.Object) []string { return []string{obj.(*corev1.Pod).Spec.NodeName} }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.secrets.Get(ctx, req.NamespacedName, &corev1.Secret{}); err != nil { // want implicit "Get of v1 Secret starts an informer that keeps every Secret of the cluster: nothing else asks the cache for one; use mgr.GetAPIReader(), DisableFor or ByObject" @main.go:11 "the manager is made here"
		return ctrl.Result{}, err
	}
	if err := r.List(ctx, &corev1.PodList{}, client.MatchingFields{"spec.nodeName": "a"}); err != nil { // ok: there is an index
		return ctrl.Result{}, err
	}
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: "a"}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, rs, func() error { return nil }); err != nil { // want implicit "Get of apps/v1 ReplicaSet starts an informer that keeps every ReplicaSet of the cluster: nothing else asks the cache for one; restrict what it holds" @main.go:11 "the manager is made here"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, &corev1.Event{}) // ok: no read
}
