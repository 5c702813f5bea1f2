package after

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A publisher writes down what there is, because of an object.
type publisher interface {
	CreateOrUpdate(ctx context.Context, data []byte, because *corev1.ConfigMap) error
}

// inFile does so in a file.
type inFile struct{ name string }

func (p *inFile) CreateOrUpdate(_ context.Context, data []byte, _ *corev1.ConfigMap) error {
	return os.WriteFile(p.name, data, 0o600)
}

var _ publisher = (*inFile)(nil)

type listed struct {
	client.Client
	publisher publisher
}

func (r *listed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if cm.DeletionTimestamp != nil && controllerutil.RemoveFinalizer(cm, guard) {
		if err := r.Update(ctx, cm); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.publisher.CreateOrUpdate(ctx, []byte(cm.Data["rules"]), cm) // ok: it writes a file
}
