// Package shared filters all watches of a controller by one function, and reads by a label alone.
package shared

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type reconciler struct {
	client.Client
	node string
}

// Setup adds the controller.
func Setup(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient()}
	own := predicate.NewPredicateFuncs(func(obj client.Object) bool {
		switch o := obj.(type) {
		case *corev1.Pod:
			return o.Spec.NodeName == r.node && o.Labels != nil && o.Labels["app"] == "router"
		case *corev1.Secret:
			return true
		}
		return obj.GetName() == "a" || obj.GetLabels()["app"] == "router"
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}). // want predicate `every watch and read of v1 Pod wants label app = "router", but the cache holds every Pod of the cluster; restrict it by ByObject` @42 "this read wants the same" @main.go:11 "the manager is made here"
		Owns(&corev1.Secret{}).                                     // ok: all pass
		Owns(&corev1.ConfigMap{}).                                  // ok: by one of two properties
		WithEventFilter(own).
		Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.List(ctx, &corev1.PodList{}, client.MatchingLabels{"app": "router"}, client.MatchingFields{"node": r.node})
}
