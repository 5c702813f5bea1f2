// Package cases has filters that name kinds and constants one by one.
package cases

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func dependentUpdated(e event.UpdateEvent) bool {
	switch o := e.ObjectNew.(type) {
	case *corev1.Pod:
		return o.Status.Phase != ""
	case *corev1.Service:
		return o.Spec.ClusterIP != ""
	default:
		return false
	}
}

func onUpdate(verbose bool) func(event.UpdateEvent) bool {
	return func(e event.UpdateEvent) bool {
		if verbose && e.ObjectNew.GetResourceVersion() == e.ObjectOld.GetResourceVersion() {
			return false
		}
		return dependentUpdated(e)
	}
}

func setup(mgr ctrl.Manager, r reconcile.Reconciler) error {
	funcs := predicate.Funcs{UpdateFunc: dependentUpdated}
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)).     // ok: has a case
		Watches(&corev1.Service{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)). // ok: has a case
		Watches(&batchv1.Job{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)).    // want cases "every update of *v1.Job is dropped: dependentUpdated, which guards this watch, knows only v1.Pod, v1.Service" @21 "this is the predicate"
		Complete(r)
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// workloads forgets daemon sets when they are deleted.
type workloads struct{}

func add(o client.Object, q queue) {
	q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(o)})
}

func (workloads) Create(_ context.Context, e event.CreateEvent, q queue) {
	switch o := e.Object.(type) {
	case *appsv1.Deployment:
		add(o, q)
	case *appsv1.StatefulSet:
		add(o, q)
	case *appsv1.DaemonSet:
		add(o, q)
	}
}

func (workloads) Update(_ context.Context, e event.UpdateEvent, q queue) {
	switch o := e.ObjectNew.(type) {
	case *appsv1.Deployment, *appsv1.StatefulSet, *appsv1.DaemonSet:
		add(o.(client.Object), q)
	}
}

func (workloads) Delete(_ context.Context, e event.DeleteEvent, q queue) { // want cases "workloads.Delete has no case for v1.DaemonSet, which Create and Update have: its events are dropped" @60 "Create has the case" @71 "Update has the case"
	switch o := e.Object.(type) {
	case *appsv1.Deployment:
		add(o, q)
	case *appsv1.StatefulSet:
		add(o, q)
	}
}

// all has a default for the kinds that it does not name.
type all struct{}

func (all) Create(_ context.Context, e event.CreateEvent, q queue) { workloads{}.Create(nil, e, q) }
func (all) Update(_ context.Context, e event.UpdateEvent, q queue) { workloads{}.Update(nil, e, q) }
func (all) Delete(_ context.Context, e event.DeleteEvent, q queue) {
	switch o := e.Object.(type) { // ok: has a default
	case *appsv1.Deployment:
		add(o, q)
	case *appsv1.StatefulSet:
		add(o, q)
	default:
		add(e.Object, q)
	}
}

const (
	poolFinalizer  = "example.com/pool"
	tokenFinalizer = "example.com/token"
	jobsFinalizer  = "example.com/jobs"
	oldFinalizer   = "example.com/old"
)

func keep(o client.Object, finalizer string) bool { return controllerutil.AddFinalizer(o, finalizer) }

func keepAll(pool, token, jobs client.Object) { // want keepAll:"removes finalizers of [0]" keepAll:"writes p0, writes p1, writes p2"
	keep(pool, poolFinalizer)
	keep(token, tokenFinalizer)
	keep(jobs, jobsFinalizer)
	controllerutil.RemoveFinalizer(pool, oldFinalizer)
}

var deleting = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		if e.ObjectNew.GetDeletionTimestamp() != nil {
			return ours(e.ObjectNew)
		}
		return true
	},
}

func ours(o client.Object) bool {
	for _, f := range []string{poolFinalizer, tokenFinalizer} { // want cases "the list in ours lacks jobsFinalizer, which is given to keep as all that it lists are: events that concern it are dropped" @106 "jobsFinalizer is declared here"
		if controllerutil.ContainsFinalizer(o, f) {
			return true
		}
	}
	return false
}

func complete(o client.Object) bool {
	for _, f := range []string{poolFinalizer, tokenFinalizer} { // ok: no filter
		if controllerutil.ContainsFinalizer(o, f) {
			return true
		}
	}
	return false
}
