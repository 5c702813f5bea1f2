// Package quiet has filters that look odd, and are right.
package quiet

import (
	"context"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const guard = "example.com/guard"

type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	policy, deployment := &networkingv1.NetworkPolicy{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, policy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if policy.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(policy, guard)
		return ctrl.Result{}, r.Update(ctx, policy)
	}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, err
	}
	if deployment.Status.ReadyReplicas == 0 {
		return ctrl.Result{RequeueAfter: time.Minute}, nil // it looks again by itself
	}
	return ctrl.Result{}, nil
}

// changed lets everything through but changes of fields that do not matter.
func changed() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool { // ok: it names what does not matter
			was, is := e.ObjectOld.(*networkingv1.NetworkPolicy).DeepCopy(), e.ObjectNew.(*networkingv1.NetworkPolicy).DeepCopy()
			was.ManagedFields, is.ManagedFields = nil, nil
			was.ResourceVersion, is.ResourceVersion = "", ""
			return !reflect.DeepEqual(was, is)
		},
	}
}

func asked() predicate.Predicate { // want asked:"drops deletion timestamp with generation, deletion timestamp, each Create"
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false },
		UpdateFunc: func(e event.UpdateEvent) bool { // ok: changed is asked as well
			if e.ObjectNew.GetDeletionTimestamp() != nil {
				return false
			}
			return e.ObjectNew.GetAnnotations()["example.com/now"] == "true"
		},
	}
}

// going is about the beginning of deletions alone.
func going() predicate.Predicate { // want going:"drops spec with generation, annotations, labels, status, each Create"
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false },
		UpdateFunc: func(e event.UpdateEvent) bool { // ok: nothing else is wanted of this kind
			return e.ObjectOld.GetDeletionTimestamp().IsZero() && !e.ObjectNew.GetDeletionTimestamp().IsZero()
		},
	}
}

func (r *Reconciler) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&networkingv1.NetworkPolicy{}, builder.WithPredicates(predicate.Or(changed(), asked()))).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Node{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(going())).
		Complete(r)
}

type onPod struct{}

// ok: the update of a resync is left out
func (onPod) Update(_ context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	if e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion() {
		return
	}
	q.Add(reconcile.Request{NamespacedName: client.ObjectKeyFromObject(e.ObjectNew)})
}

// onWorker passes over what it cannot tell.
type onWorker struct{ predicate.Funcs }

func (onWorker) Update(e event.UpdateEvent) bool { // ok: what another predicate is for
	was, ok := e.ObjectOld.(*corev1.Node)
	if !ok {
		return true
	}
	is := e.ObjectNew.(*corev1.Node)
	for i := range is.Spec.Taints {
		if i < len(was.Spec.Taints) && is.Spec.Taints[i] == was.Spec.Taints[i] { // ok: two versions
			continue
		}
		return true
	}
	return len(is.Spec.Taints) != len(was.Spec.Taints)
}
