// Package objects owns one ConfigMap, reads one Secret, and maps the Services with a label.
package objects

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	configName = "settings"
	label      = "example.com/workload"
)

type reconciler struct{ client.Client }

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{mgr.GetClient()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(named(configName))).                         // want predicate `every watch of v1 ConfigMap wants metadata.name = "settings", but the cache holds every ConfigMap of the cluster; restrict it by ByObject` @main.go:11 "the manager is made here"
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.ofSecret)).                    // want predicate `every watch and read of v1 Secret wants metadata.name = "token", but the cache holds every Secret of the cluster; restrict it by ByObject` @90 "this read wants the same" @main.go:11 "the manager is made here"
		Watches(&corev1.Service{}, handler.EnqueueRequestsFromMapFunc(r.ofService)).                  // want predicate "every watch and read of v1 Service wants label example.com/workload, but the cache holds every Service of the cluster; restrict it by ByObject" @83 "this read wants the same" @main.go:11 "the manager is made here"
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(byHand{})). // want predicate `every watch and read of v1 Pod wants label tier = "front", but the cache holds every Pod of the cluster; restrict it by ByObject` @86 "this read wants the same" @main.go:11 "the manager is made here"
		Owns(&batchv1.Job{}).
		Complete(r)
}

func named(name string) predicate.Funcs {
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return e.Object.GetName() == name },
		UpdateFunc:  func(e event.UpdateEvent) bool { return e.ObjectNew.GetName() == name },
		DeleteFunc:  func(e event.DeleteEvent) bool { return e.Object.GetName() == name },
		GenericFunc: func(event.GenericEvent) bool { return true }, // watches have none
	}
}

func (r *reconciler) ofSecret(_ context.Context, obj client.Object) []reconcile.Request {
	if obj.GetName() != "token" || obj.GetNamespace() != "system" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(obj)}}
}

func (r *reconciler) ofService(_ context.Context, obj client.Object) []reconcile.Request {
	var requests []reconcile.Request
	if name, ok := obj.GetLabels()[label]; ok {
		requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Name: name, Namespace: obj.GetNamespace()}})
	}
	return requests
}

// byHand lets through what has a value of the label.
type byHand struct{}

func (byHand) Create(e event.CreateEvent) bool   { return tier(e.Object) }
func (byHand) Update(e event.UpdateEvent) bool   { return tier(e.ObjectNew) || tier(e.ObjectOld) }
func (byHand) Delete(e event.DeleteEvent) bool   { return tier(e.Object) }
func (byHand) Generic(e event.GenericEvent) bool { return tier(e.Object) }

func tier(obj client.Object) bool {
	switch obj.GetLabels()["tier"] {
	case "front":
		return true
	default:
		return false
	}
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var services corev1.ServiceList
	if err := r.List(ctx, &services, client.MatchingLabels{label: req.Name, "tier": "front"}); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.List(ctx, &corev1.PodList{}, client.InNamespace("system"), client.HasLabels{label}, client.MatchingLabels{"tier": "front"}); err != nil {
		return ctrl.Result{}, err
	}
	var secret corev1.Secret
	return ctrl.Result{}, r.Get(ctx, types.NamespacedName{Namespace: "system", Name: "token"}, &secret)
}
