package loop

import (
	batchv1 "k8s.io/api/batch/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Good watches their specs, which a write of the status leaves alone.
func Good(m ctrl.Manager, r *Reconciler) error {
	return ctrl.NewControllerManagedBy(m).
		For(&batchv1.CronJob{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
