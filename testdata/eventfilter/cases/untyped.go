package cases

import (
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// inCellar asks whether there is an object where it asks what it is, too: it never is.
func inCellar(obj client.Object) bool {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok && u == nil {
		return false
	}
	return u.GetNamespace() == "cellar"
}

// inAttic has an answer for others.
func inAttic(obj client.Object) bool {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok && u != nil {
		return false
	}
	return obj.GetNamespace() == "attic"
}

func untyped(mgr ctrl.Manager, r reconcile.Reconciler) error {
	cellar := &unstructured.Unstructured{}
	cellar.SetAPIVersion("batch/v1")
	cellar.SetKind("Job")
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.CronJob{}).
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.NewPredicateFuncs(inCellar))). // want cases "every update of *v1.Job is dropped: this predicate, which guards this watch, knows only unstructured.Unstructured" @14 "this is the predicate"
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.NewPredicateFuncs(inAttic))).  // ok: it looks at all of them
		Owns(cellar, builder.WithPredicates(predicate.NewPredicateFuncs(inCellar))).         // ok: it comes as that
		Complete(r)
}
