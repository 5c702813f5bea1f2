// Package pipelinestream reconciles Pipelines.
package pipelinestream

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/pages/bug/pipelinestream/api"
	"example.com/pages/bug/pipelinestream/stream"
)

// Reconciler of Pipelines.
type Reconciler struct {
	client.Client
	Supervisor *stream.Supervisor
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := ctrl.LoggerFrom(ctx)
	p := &api.Pipeline{}
	if err := r.Get(ctx, req.NamespacedName, p); err != nil {
		if apierrors.IsNotFound(err) {
			r.Supervisor.Remove(req.NamespacedName)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	if p.Status.ObservedGeneration == p.Generation && meta.IsStatusConditionTrue(p.Status.Conditions, "Running") {
		return ctrl.Result{}, nil
	}
	cond := metav1.Condition{Type: "Running", Status: metav1.ConditionTrue, Reason: "Applied", ObservedGeneration: p.Generation}
	err := r.Supervisor.Apply(req.NamespacedName, stream.Config{
		Source: p.Spec.Source,
		Sink:   p.Spec.Sink,
		Poll:   time.Duration(p.Spec.PollSecs) * time.Second,
	})
	if err != nil {
		log.Error(err, "pipeline refused")
		cond.Status, cond.Reason, cond.Message = metav1.ConditionFalse, "Invalid", err.Error()
	}
	p.Status.ObservedGeneration = p.Generation
	meta.SetStatusCondition(&p.Status.Conditions, cond)
	return ctrl.Result{}, r.Status().Update(ctx, p)
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, transport stream.Transport) error {
	r.Supervisor = stream.NewSupervisor(ctx, mgr.GetLogger(), transport)
	return ctrl.NewControllerManagedBy(mgr).
		For(&api.Pipeline{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
