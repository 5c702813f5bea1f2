// Package rolled asks another package whether what it owns is ready.
package rolled

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/rolled/ready"
)

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm, d := &corev1.ConfigMap{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, err
	}
	if !ready.All(d) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Delete(ctx, cm)
}

func (r *reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})). // want status "predicate.Or drops status updates of *v1.Deployment, but (*reconciler).Reconcile reads the status at rolled.go:27: its change triggers no reconcile; let them through" @27 "the status is read here" @34 "the kind is watched here"
		Complete(r)
}

// A teller only logs what the other package says of them.
type teller struct{ client.Client }

func (t *teller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	d := &appsv1.Deployment{}
	if err := t.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready.Log(d)
	klog.InfoS("seen", "deployment", ready.Name(d))
	return ctrl.Result{}, nil
}

func (t *teller) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})). // ok
		Complete(t)
}

// A marker makes the status that the other package reads.
type marker struct{ client.Client }

func (m *marker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	d := &appsv1.Deployment{}
	if err := m.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ready.All(d) {
		return ctrl.Result{}, nil
	}
	d.Status.ObservedGeneration = d.Generation
	return ctrl.Result{}, m.Status().Update(ctx, d)
}

func (m *marker) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})). // ok
		Complete(m)
}
