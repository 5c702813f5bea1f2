package hang

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Good reads the Secret from the API server.
type Good struct {
	client.Client
	Secrets client.Reader
	Use     func(*corev1.Secret)
}

func (r *Good) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{}
	if err := r.Secrets.Get(ctx, client.ObjectKeyFromObject(config), secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.Use(secret)
	return ctrl.Result{}, nil
}

// AddGood adds the reconciler to m.
func AddGood(m ctrl.Manager, use func(*corev1.Secret)) error {
	r := &Good{Client: m.GetClient(), Secrets: m.GetAPIReader(), Use: use}
	return ctrl.NewControllerManagedBy(m).Named("good").For(&corev1.ConfigMap{}).Complete(r)
}
