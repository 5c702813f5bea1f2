package good

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A guard keeps config maps from being deleted.
type guard struct{ client.Client }

// isDeletionProtected reads a label: its name says more than it asks.
func isDeletionProtected(cm *corev1.ConfigMap) bool { return cm.Labels["protected"] == "true" }

// Reconcile asks nowhere whether the map is being deleted.
func (g *guard) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := g.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	controllerutil.AddFinalizer(&cm, "example.com/guard") // ok: there is no order to be wrong
	if err := g.Update(ctx, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if isDeletionProtected(&cm) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, g.Status().Update(ctx, &cm)
}
