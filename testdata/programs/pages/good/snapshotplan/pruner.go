package snapshotplan

import (
	"cmp"
	"context"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/good/snapshotplan/api"
)

const planLabel = "snapshots.acme.io/of"

// Pruner deletes the records of old snapshots, which are ConfigMaps.
type Pruner struct {
	client.Client
}

// Reconcile prunes the records of a plan.
func (p *Pruner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	plan := &api.SnapshotPlan{}
	if err := p.Get(ctx, req.NamespacedName, plan); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	records := &corev1.ConfigMapList{}
	if err := p.List(ctx, records, client.InNamespace(plan.Namespace), client.MatchingLabels{planLabel: plan.Name}); err != nil {
		return ctrl.Result{}, err
	}
	slices.SortFunc(records.Items, func(a, b corev1.ConfigMap) int {
		return cmp.Or(b.CreationTimestamp.Compare(a.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	var errs []error
	for i := range records.Items {
		if int32(i) < plan.Spec.Keep {
			continue
		}
		if err := p.Delete(ctx, &records.Items[i]); client.IgnoreNotFound(err) != nil {
			errs = append(errs, err)
		}
	}
	log.FromContext(ctx).V(1).Info("pruned", "records", len(records.Items), "keep", plan.Spec.Keep)
	return ctrl.Result{}, errors.Join(errs...)
}

// SetupWithManager sets the controller up.
func (p *Pruner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("snapshot-pruner").
		For(&api.SnapshotPlan{}, on(func(old, cur *api.PlanSpec) bool { return old.Keep != cur.Keep })).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
			name, ok := o.GetLabels()[planLabel]
			if !ok {
				return nil
			}
			return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: o.GetNamespace(), Name: name}}}
		})).
		Complete(p)
}
