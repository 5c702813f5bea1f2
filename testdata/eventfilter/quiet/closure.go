package quiet

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// A scaler leaves paused deployments alone.
type scaler struct{ client.Client }

func (s *scaler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var d appsv1.Deployment
	if err := s.Get(ctx, req.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if d.Annotations[paused] == "true" {
		return ctrl.Result{}, nil
	}
	d.Spec.Replicas = new(int32)
	return ctrl.Result{}, s.Update(ctx, &d)
}

const paused = "example.com/paused"

// pausedOrChanged lets updates through that change the annotation: a closure notes it.
func pausedOrChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok: the annotation counts
		found := false
		note := func(a, b string) {
			if a != b {
				found = true
			}
		}
		note(e.ObjectOld.GetAnnotations()[paused], e.ObjectNew.GetAnnotations()[paused])
		return found || e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	}}
}

func (s *scaler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}, builder.WithPredicates(pausedOrChanged())).Complete(s)
}
