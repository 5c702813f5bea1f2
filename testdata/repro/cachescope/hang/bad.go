// Package hang has a reconciler that reads a Secret, which its role allows, and waits for its cache, which it does not.
package hang

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get

// Bad reads the Secret through the cache, whose informer has to list and watch all Secrets.
type Bad struct {
	client.Client
	Use func(*corev1.Secret)
}

func (r *Bad) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(config), secret); err != nil { // want implicit "Get of v1 Secret starts an informer that keeps every Secret of the cluster: nothing else asks the cache for one; use mgr.GetAPIReader(), DisableFor or ByObject" @main.go:14 "the manager is made here"
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.Use(secret)
	return ctrl.Result{}, nil
}

// AddBad adds the reconciler to m.
func AddBad(m ctrl.Manager, use func(*corev1.Secret)) error {
	r := &Bad{Client: m.GetClient(), Use: use}
	return ctrl.NewControllerManagedBy(m).Named("bad").For(&corev1.ConfigMap{}).Complete(r)
}
