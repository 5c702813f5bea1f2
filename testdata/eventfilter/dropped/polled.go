package dropped

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// polling looks again after a time that it was made with.
type polling struct {
	client.Client
	again ctrl.Result
}

// Reconcile comes back in any case.
func (r *polling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return r.again, nil
	}
	return r.again, nil
}

// SetupWithManager watches secrets.
func (r *polling) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // ok: it polls
		Complete(r)
}
