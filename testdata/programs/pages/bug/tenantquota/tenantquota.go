// The predicate compares the tenant label, which holds the name alone, with the whole namespaced name, which has a slash that no label value can have, so it is always false and a changed ResourceQuota wakes nobody.
//
//adv:rule=eventfilter sub=constant claim=near
package tenantquota

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	tenantLabel = "tenancy.acme.io/tenant"
	quotaName   = "tenant"
)

// Reconciler keeps the quota of the namespaces of one tenant. The limits are
// in a ConfigMap, and every tenant has a manager of its own.
type Reconciler struct {
	client.Client

	// Tenant names the ConfigMap with the limits.
	Tenant types.NamespacedName
}

// Reconcile goes through the namespaces of the tenant.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	logger := log.FromContext(ctx).WithValues("tenant", r.Tenant)
	limits := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, limits); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	hard, err := parse(limits.Data)
	if err != nil {
		logger.Error(err, "limits are not valid, waiting for a change of them")
		return reconcile.Result{}, nil
	}
	namespaces := &corev1.NamespaceList{}
	if err := r.List(ctx, namespaces, client.MatchingLabels{tenantLabel: r.Tenant.Name}); err != nil {
		return reconcile.Result{}, err
	}
	for _, ns := range namespaces.Items {
		if ns.Status.Phase == corev1.NamespaceTerminating {
			continue
		}
		if err := r.ensure(ctx, ns.Name, hard); err != nil {
			return reconcile.Result{}, fmt.Errorf("quota in %s: %w", ns.Name, err)
		}
	}
	return reconcile.Result{}, nil
}

func (r *Reconciler) ensure(ctx context.Context, namespace string, hard corev1.ResourceList) error {
	quota := &corev1.ResourceQuota{}
	err := r.Get(ctx, types.NamespacedName{Namespace: namespace, Name: quotaName}, quota)
	if apierrors.IsNotFound(err) {
		return r.Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace,
				Name:      quotaName,
				Labels:    map[string]string{tenantLabel: r.Tenant.Name},
			},
			Spec: corev1.ResourceQuotaSpec{Hard: hard},
		})
	}
	if err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(quota.Spec.Hard, hard) {
		return nil
	}
	quota.Spec.Hard = hard
	return r.Update(ctx, quota)
}

func (r *Reconciler) mine(o client.Object) bool {
	return o.GetLabels()[tenantLabel] == r.Tenant.String()
}

func (r *Reconciler) toTenant(context.Context, client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: r.Tenant}}
}

// SetupWithManager sets the controller up.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	isTenant := predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetNamespace() == r.Tenant.Namespace && o.GetName() == r.Tenant.Name
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("tenantquota-"+r.Tenant.Name).
		For(&corev1.ConfigMap{}, builder.WithPredicates(isTenant)).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(r.toTenant)).
		Watches(&corev1.ResourceQuota{}, handler.EnqueueRequestsFromMapFunc(r.toTenant),
			builder.WithPredicates(predicate.NewPredicateFuncs(r.mine))).
		Complete(r)
}
