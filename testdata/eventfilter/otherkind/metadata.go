package otherkind

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func tenants(_ context.Context, obj client.Object) []reconcile.Request {
	ns, ok := obj.(*corev1.Namespace)
	if !ok || ns.Labels["tenant"] == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: ns.Labels["tenant"]}}}
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
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenants), builder.OnlyMetadata).                                                                        // want constant "tenants does nothing about any object of this watch, which gives *v1.Namespace as a *v1.PartialObjectMetadata: it takes *v1.Namespace alone" @18 "no object that it is given has this type"
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenants)).                                                                                              // ok: it gives namespaces
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenantsOfMetadata), builder.OnlyMetadata).                                                              // ok: it takes what there is
		WatchesMetadata(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenantsOfMetadata), builder.WithPredicates(predicate.NewPredicateFuncs(withTenant))).           // want cases "every update of *v1.Namespace as a *v1.PartialObjectMetadata is dropped: this predicate, which guards this watch, knows only v1.Namespace" @33 "this is the predicate"
		WatchesMetadata(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(tenantsOfMetadata), builder.WithPredicates(predicate.Funcs{UpdateFunc: withTenantOfMetadata})). // ok: it takes what there is
		Complete(r)
}
