// Package heard has a predicate that tells what it keeps of the objects that are gone.
package heard

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// versions are expected of objects.
type versions interface {
	Expect(obj metav1.Object)
	Observe(obj metav1.Object)
	Delete(obj metav1.Object)
	IsSatisfied(obj metav1.Object) bool
}

type reconciler struct {
	client.Client
	expected versions
}

// Reconcile looks at what is expected of a ConfigMap.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil { // ok: the predicate sees to what is gone
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.expected.Observe(config)
	if !r.expected.IsSatisfied(config) {
		return ctrl.Result{Requeue: true}, nil
	}
	if err := r.Update(ctx, config); err != nil {
		return ctrl.Result{}, err
	}
	r.expected.Expect(config)
	return ctrl.Result{}, nil
}

func (r *reconciler) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
		DeleteFunc: func(e event.DeleteEvent) bool {
			r.expected.Delete(e.Object)
			return false
		},
	})).Complete(r)
}

var _ = (*reconciler).setup
