// Package loop has a reconciler that starts itself again.
package loop

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reconciler stores when it last reached the target of a CronJob.
type Reconciler struct {
	client.Client
	Reach func(context.Context) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &batchv1.CronJob{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Reach(ctx); err != nil {
		return ctrl.Result{}, err
	}
	now := metav1.Now() // want loop "CronJobStatus.LastSuccessfulTime differs on each reconcile, and its update (line 29) starts the next one; write it only if something else has changed" @28 "it is stored in the object here" @29 "the update is sent here in each reconcile" @34 "this watch lets the event of the update through"
	job.Status.LastSuccessfulTime = &now
	return ctrl.Result{}, r.Status().Update(ctx, job)
}

// Bad watches CronJobs. The event of the reconciler's own write starts its next pass.
func Bad(m ctrl.Manager, r *Reconciler) error {
	return ctrl.NewControllerManagedBy(m).For(&batchv1.CronJob{}).Complete(r)
}
