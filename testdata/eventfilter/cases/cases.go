// Package cases has filters that name kinds and constants one by one.
package cases

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
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

func setup(mgr ctrl.Manager, r reconcile.Reconciler) error {
	funcs := predicate.Funcs{UpdateFunc: dependentUpdated}
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)).     // ok: has a case
		Watches(&corev1.Service{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)). // ok: has a case
		Watches(&batchv1.Job{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(funcs)).    // want constant "dependentUpdated drops every update of *v1.Job: it passes only v1.Pod, v1.Service; add the kind to it" @21 "this is the predicate"
		Complete(r)
}

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
		For(&batchv1.CronJob{}). // want constant "finished drops every update of *v1.CronJob: it passes only v1.Job; add the kind to it" @54 "this is the predicate"
		Owns(&batchv1.Job{}).    // ok: has a case
		WithEventFilter(guard).
		Complete(r)
}

func filledLater(mgr ctrl.Manager, r reconcile.Reconciler) error {
	guard := &kept{}
	guard.UpdateFunc = finished
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.CronJob{}, builder.WithPredicates(guard)). // want constant "finished drops every update of *v1.CronJob: it passes only v1.Job; add the kind to it" @54 "this is the predicate"
		Owns(&batchv1.Job{}, builder.WithPredicates(&moved{})). // ok: lets all through
		Complete(r)
}

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
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.NewPredicateFuncs(inCellar))). // want constant "this predicate drops every update of *v1.Job: it passes only unstructured.Unstructured; add the kind to it" @82 "this is the predicate"
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.NewPredicateFuncs(inAttic))).  // ok: it looks at all of them
		Owns(cellar, builder.WithPredicates(predicate.NewPredicateFuncs(inCellar))).         // ok: it comes as that
		Complete(r)
}

func tenantsOfMetadata(_ context.Context, obj client.Object) []reconcile.Request {
	ns, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok || ns.Labels["tenant"] == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: ns.Labels["tenant"]}}}
}

func withTenant(obj client.Object) bool {
	ns, ok := obj.(*corev1.Namespace)
	return ok && ns.Labels["tenant"] != ""
}

func withTenantOfMetadata(e event.UpdateEvent) bool {
	ns, ok := e.ObjectNew.(*metav1.PartialObjectMetadata)
	return ok && ns.Labels["tenant"] != ""
}

func metadata(mgr ctrl.Manager, r reconcile.Reconciler) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}).
		WatchesMetadata(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenantsOfMetadata), builder.WithPredicates(predicate.NewPredicateFuncs(withTenant))).           // want constant "this predicate drops every update of *v1.Namespace: objects arrive as *metav1.PartialObjectMetadata, not as v1.Namespace; assert that type" @119 "this is the predicate"
		WatchesMetadata(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenantsOfMetadata), builder.WithPredicates(predicate.Funcs{UpdateFunc: withTenantOfMetadata})). // ok: it takes what there is
		Complete(r)
}
