// Package created gets each ConfigMap that is created.
package created

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type reconciler struct{ client.Client }

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{mgr.GetClient()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(updates)).                         // ok: creations pass
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.NewPredicateFuncs(owned))). // ok: of another object
		Complete(r)
}

var updates = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool { return e.ObjectNew.GetName() == "a" },
	DeleteFunc: func(e event.DeleteEvent) bool { return e.Object.GetName() == "a" },
}

func owned(obj client.Object) bool {
	owner := &appsv1.Deployment{}
	owner.Name = obj.GetOwnerReferences()[0].Name
	return owner.GetName() == "a"
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}
