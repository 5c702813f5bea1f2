// A Route whose spec was made invalid after it got its finalizer returns after
// Validate, also when it is deleted, and so never comes to withdraw.
//
//adv:rule=finalizerorder sub=unreachable claim=yes
package ingressroute

import (
	"context"
	"slices"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/ingressroute/api"
)

// Edge is the control plane of the proxies.
type Edge interface {
	Publish(ctx context.Context, key string, hosts []string, upstream string, weight int32) error
	Withdraw(ctx context.Context, key string) error
}

type routes struct {
	kube client.Client
	edge Edge
}

// Setup starts the controller for routes.
func Setup(mgr ctrl.Manager, edge Edge) error {
	r := &routes{kube: mgr.GetClient(), edge: edge}
	return ctrl.NewControllerManagedBy(mgr).
		For(&api.Route{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(reconcile.AsReconciler[*api.Route](mgr.GetClient(), r))
}

// Reconcile implements reconcile.ObjectReconciler.
func (r *routes) Reconcile(ctx context.Context, route *api.Route) (reconcile.Result, error) {
	logger := klog.FromContext(ctx)

	if err := route.Validate(); err != nil {
		logger.Info("Route is not valid", "reason", err.Error())
		route.Status.Accepted = false
		route.Status.Message = err.Error()
		// nothing to do before somebody repairs the spec
		return reconcile.Result{}, r.kube.Status().Update(ctx, route)
	}

	if route.DeletionTimestamp != nil {
		return reconcile.Result{}, r.withdraw(ctx, route)
	}

	if !slices.Contains(route.Finalizers, api.RouteFinalizer) {
		route.Finalizers = append(route.Finalizers, api.RouteFinalizer)
		if err := r.kube.Update(ctx, route); err != nil {
			return reconcile.Result{}, err
		}
	}
	if err := r.edge.Publish(ctx, key(route), route.Spec.Hosts, route.Spec.Upstream, route.Spec.Weight); err != nil {
		return reconcile.Result{}, err
	}
	route.Status.Accepted = true
	route.Status.Message = ""
	return reconcile.Result{}, r.kube.Status().Update(ctx, route)
}

func (r *routes) withdraw(ctx context.Context, route *api.Route) error {
	i := slices.Index(route.Finalizers, api.RouteFinalizer)
	if i < 0 {
		return nil
	}
	if err := r.edge.Withdraw(ctx, key(route)); err != nil {
		return err
	}
	route.Finalizers = slices.Delete(route.Finalizers, i, i+1)
	return r.kube.Update(ctx, route)
}

func key(route *api.Route) string { return route.Namespace + "/" + route.Name }
