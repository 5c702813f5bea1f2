package cases

import (
	batchv1 "k8s.io/api/batch/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// moved is a predicate that is filled in.
type moved struct {
	predicate.Funcs
}

// kept has its own word on what is created.
type kept struct {
	predicate.Funcs
}

func (kept) Create(event.CreateEvent) bool { return false }

func finished(e event.UpdateEvent) bool {
	was, ok := e.ObjectOld.(*batchv1.Job)
	if !ok {
		return false
	}
	is, ok := e.ObjectNew.(*batchv1.Job)
	return ok && was.Status.Succeeded != is.Status.Succeeded
}

func filled(mgr ctrl.Manager, r reconcile.Reconciler) error {
	guard := moved{Funcs: predicate.Funcs{UpdateFunc: finished}}
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.CronJob{}). // want cases "every update of *v1.CronJob is dropped: finished, which guards this watch, knows only v1.Job" @24 "this is the predicate"
		Owns(&batchv1.Job{}).    // ok: has a case
		WithEventFilter(guard).
		Complete(r)
}

func filledLater(mgr ctrl.Manager, r reconcile.Reconciler) error {
	guard := &kept{}
	guard.UpdateFunc = finished
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.CronJob{}, builder.WithPredicates(guard)). // want cases "every update of *v1.CronJob is dropped: finished, which guards this watch, knows only v1.Job" @24 "this is the predicate"
		Owns(&batchv1.Job{}, builder.WithPredicates(&moved{})). // ok: lets all through
		Complete(r)
}
