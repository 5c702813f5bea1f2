// Package setup puts reconcilers and filters of other packages together.
package setup

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/apart/filters"
	"example.com/operators/eventfilter/apart/garden"
)

// Setup has a filter that drops what one of them reads.
func Setup(mgr ctrl.Manager) error {
	if err := ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(filters.Generation())). // want metadata `Generation drops updates of *v1.Pod that change only annotations, but (*Waterer).Reconcile reads the annotation "garden.example.com/water-now" at garden.go:27: setting it triggers no reconcile; let them through` @garden.go:27 "the annotation is read here"
		Complete(&garden.Waterer{Client: mgr.GetClient()}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(filters.Generation())).
		Complete(&garden.Looker{Client: mgr.GetClient()})
}

// Close has filters for a reconciler that takes finalizers away.
func Close(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(filters.Phase())).                                // want deletion "Phase drops the update that sets the deletionTimestamp of *v1.Pod: (*Closer).Reconcile removes the finalizer (garden.go:59) only at another event; let it through" @garden.go:59 "the finalizer is removed here"
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want status "predicate.GenerationChangedPredicate drops status updates of *v1.Deployment, but (*Closer).Reconcile reads the status at garden.go:59: its change triggers no reconcile; let them through" @garden.go:59 "the status is read here" @31 "the kind is watched here"
		Complete(&garden.Closer{Client: mgr.GetClient()})
}
