package dropped

import (
	"context"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Plot is a custom resource.
type Plot struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   PlotSpec
	Status PlotStatus
}

type PlotSpec struct{ Owner string }
type PlotStatus struct{ Phase string }

func (p *Plot) DeepCopyObject() runtime.Object { c := *p; return &c }

// Plower takes its finalizer away.
type Plower struct{ client.Client }

func (r *Plower) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	plot := &Plot{}
	if err := r.Get(ctx, req.NamespacedName, plot); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !plot.DeletionTimestamp.IsZero() && controllerutil.RemoveFinalizer(plot, finalizer) {
		return ctrl.Result{}, r.Update(ctx, plot)
	}
	return ctrl.Result{}, nil
}

func (r *Plower) failed(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Plot{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want deletion "this predicate drops the update that sets the deletion timestamp of *dropped.Plot in some state, in which it lets a change of the spec through, but (*Plower).Reconcile waits for it to remove the finalizer (line 38): the object stays until something else queues it" @38 "the finalizer is removed here"
				was, is := e.ObjectOld.(*Plot), e.ObjectNew.(*Plot)
				if is.Status.Phase != "Failed" {
					return true
				}
				return !reflect.DeepEqual(was.Spec, is.Spec)
			},
		})).
		Complete(r)
}

func (r *Plower) failedOrDeleted(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Plot{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: it asks for the deletion
				was, is := e.ObjectOld.(*Plot), e.ObjectNew.(*Plot)
				if is.Status.Phase != "Failed" || is.DeletionTimestamp != nil {
					return true
				}
				return !reflect.DeepEqual(was.Spec, is.Spec)
			},
		})).
		Complete(r)
}

func (r *Plower) ours(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Plot{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: nothing of the others is let through
				return e.ObjectNew.GetLabels()["shard"] == "ours" && e.ObjectNew.(*Plot).Spec.Owner != "nobody"
			},
		})).
		Complete(r)
}

var _ = []any{(*Plower).failed, (*Plower).failedOrDeleted, (*Plower).ours}
