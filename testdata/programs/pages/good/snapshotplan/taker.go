// Two controllers share the kind, and the filter of each passes just the fields that its own reconciler reads: schedule and claim here, keep there.
//
//adv:rule=eventfilter sub=fields claim=no
package snapshotplan

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/good/snapshotplan/api"
)

// on is a predicate for the changes of plans.
func on(changed func(old, cur *api.PlanSpec) bool) builder.Predicates {
	return builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, ok := e.ObjectOld.(*api.SnapshotPlan)
		if !ok {
			return false
		}
		cur, ok := e.ObjectNew.(*api.SnapshotPlan)
		return ok && changed(&old.Spec, &cur.Spec)
	}})
}

// Taker has a CronJob take snapshots.
type Taker struct {
	client.Client
	Image string
}

// Reconcile keeps the CronJob.
func (t *Taker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	plan := &api.SnapshotPlan{}
	if err := t.Get(ctx, req.NamespacedName, plan); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cron := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: plan.Namespace, Name: "snap-" + plan.Name}}
	if _, err := controllerutil.CreateOrPatch(ctx, t.Client, cron, func() error {
		cron.Spec.Schedule = plan.Spec.Schedule
		tmpl := &cron.Spec.JobTemplate.Spec.Template
		tmpl.Labels = map[string]string{"snapshots.acme.io/plan": plan.Name}
		tmpl.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
		tmpl.Spec.Containers = []corev1.Container{{Name: "snap", Image: t.Image, Args: []string{plan.Spec.Claim}}}
		return ctrl.SetControllerReference(plan, cron, t.Scheme())
	}); err != nil {
		return ctrl.Result{}, fmt.Errorf("cronjob %s: %w", cron.Name, err)
	}
	return ctrl.Result{}, nil
}

// SetupWithManager sets the controller up.
func (t *Taker) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("snapshot-taker").
		For(&api.SnapshotPlan{}, on(func(old, cur *api.PlanSpec) bool {
			return old.Schedule != cur.Schedule || old.Claim != cur.Claim
		})).
		Owns(&batchv1.CronJob{}).
		Complete(t)
}
