// Package refilled makes predicates from one that lets nothing through.
package refilled

import (
	"context"
	"reflect"

	batchv1 "k8s.io/api/batch/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const finalizer = "example.com/refilled"

// Closer takes its finalizer away.
type Closer struct{ client.Client }

// Reconcile does so when the job is deleted.
func (r *Closer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &batchv1.Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !job.DeletionTimestamp.IsZero() && controllerutil.RemoveFinalizer(job, finalizer) {
		return ctrl.Result{}, r.Update(ctx, job)
	}
	return ctrl.Result{}, nil
}

func nothing() predicate.Funcs {
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false },
		UpdateFunc: func(event.UpdateEvent) bool { return false }, // want deletion "anyCreate drops the update that sets the deletionTimestamp of *v1.Job: (*Closer).Reconcile removes the finalizer (line 27) only at another event; let it through" @27 "the finalizer is removed here"
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}

func anyCreate() predicate.Funcs {
	funcs := nothing()
	funcs.CreateFunc = func(event.CreateEvent) bool { return true }
	return funcs
}

func generation() predicate.Funcs {
	funcs := nothing()
	funcs.UpdateFunc = func(e event.UpdateEvent) bool { return predicate.GenerationChangedPredicate{}.Update(e) }
	return funcs
}

func spec() predicate.Funcs {
	funcs := nothing()
	funcs.UpdateFunc = func(e event.UpdateEvent) bool {
		return !reflect.DeepEqual(e.ObjectOld.(*batchv1.Job).Spec, e.ObjectNew.(*batchv1.Job).Spec)
	}
	return funcs
}

// maybe lets updates through where it is told to.
func maybe(updates bool) predicate.Funcs {
	funcs := nothing()
	if updates {
		funcs.UpdateFunc = nil
	}
	return funcs
}

// replaced is another one in the end.
func replaced() predicate.Funcs {
	funcs := predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return true }}
	funcs = nothing()
	return funcs
}

// SetupWithManager hears of the deletion by the generation.
func (r *Closer) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		WithEventFilter(predicate.Or(anyCreate(), generation())).
		Complete(r)
}

// SetupWithSpec does not.
func (r *Closer) SetupWithSpec(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		WithEventFilter(predicate.Or(anyCreate(), spec())). // want deletion "predicate.Or drops the update that sets the deletionTimestamp of *v1.Job: (*Closer).Reconcile removes the finalizer (line 27) only at another event; let it through" @27 "the finalizer is removed here"
		Complete(r)
}

// SetupWithCreates hears of no update at all.
func (r *Closer) SetupWithCreates(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		WithEventFilter(anyCreate()).
		Complete(r)
}

// SetupWithAny may hear of it.
func (r *Closer) SetupWithAny(mgr ctrl.Manager, updates bool) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		WithEventFilter(maybe(updates)).
		Complete(r)
}

// SetupWithNothing hears of nothing.
func (r *Closer) SetupWithNothing(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		WithEventFilter(predicate.Or(anyCreate(), replaced())). // want deletion "predicate.Or drops the update that sets the deletionTimestamp of *v1.Job: (*Closer).Reconcile removes the finalizer (line 27) only at another event; let it through" @27 "the finalizer is removed here"
		Complete(r)
}
