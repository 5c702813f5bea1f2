// Package sent compares the status of what it watches.
package sent

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Maker makes the status of deployments.
type Maker struct{ client.Client }

type known struct {
	deployment *appsv1.Deployment
	was        *appsv1.DeploymentStatus
}

// Reconcile keeps what they had.
func (r *Maker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deployments appsv1.DeploymentList
	if err := r.List(ctx, &deployments); err != nil {
		return ctrl.Result{}, err
	}
	var all []known
	for i := range deployments.Items {
		deployment := &deployments.Items[i]
		all = append(all, known{deployment, deployment.Status.DeepCopy()})
		mark(deployment)
	}
	return ctrl.Result{}, r.send(ctx, all)
}

func mark(deployment *appsv1.Deployment) { deployment.Status.Replicas = 1 }

// send sends what is another one now.
func (r *Maker) send(ctx context.Context, all []known) error {
	for _, k := range all {
		if !equality.Semantic.DeepEqual(k.deployment.Status, k.was) {
			if err := r.Status().Update(ctx, k.deployment); err != nil {
				return err
			}
		}
	}
	return nil
}

// SetupWithManager leaves out what it has sent itself.
func (r *Maker) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // ok: it makes that status
		Complete(r)
}

// Awaiter waits for a status that is like that of another one.
type Awaiter struct {
	client.Client
	wanted appsv1.DeploymentStatus
}

// Reconcile sends the job where the status of the deployment is the one that is wanted.
func (r *Awaiter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job, deployment := &batchv1.Job{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, types.NamespacedName{Name: job.Name}, deployment); err != nil {
		return ctrl.Result{}, err
	}
	if !equality.Semantic.DeepEqual(deployment.Status, r.wanted) {
		return ctrl.Result{}, r.Status().Update(ctx, job)
	}
	return ctrl.Result{}, nil
}

// SetupWithManager drops what it waits for.
func (r *Awaiter) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&batchv1.Job{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want status "predicate.GenerationChangedPredicate drops status updates of *v1.Deployment, but (*Awaiter).Reconcile reads the status at sent.go:77: its change triggers no reconcile; let them through" @77 "the status is read here" @87 "the kind is watched here"
		Complete(r)
}
