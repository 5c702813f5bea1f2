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

func asked() predicate.Predicate { // want asked:"drops deletion timestamp with generation, deletion timestamp"
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
func going() predicate.Predicate { // want going:"drops spec with generation, annotations, status, content with generation, content"
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

const mayGo = "example.com/may-go"

// A reaper takes pods away that are on their way out and may go.
type reaper struct{ client.Client }

// Update lets through what has become eligible. It drops the annotation of a pod that lives, and not that of one which is
// being deleted.
func (r *reaper) Update(u event.UpdateEvent) bool { // ok: the annotation decides, for the pods that matter // want Update:"drops spec with generation, status, content with generation, content; only k8s.io/api/core/v1.Pod"
	before, ok := u.ObjectOld.(*corev1.Pod)
	after, ok2 := u.ObjectNew.(*corev1.Pod)
	return ok && ok2 && !eligible(before) && eligible(after)
}

// Create asks the same.
func (r *reaper) Create(e event.CreateEvent) bool {
	pod, ok := e.Object.(*corev1.Pod)
	return ok && eligible(pod)
}

// Delete is of no interest.
func (r *reaper) Delete(event.DeleteEvent) bool { return false }

// Generic is of no interest.
func (r *reaper) Generic(event.GenericEvent) bool { return false }

func eligible(p *corev1.Pod) bool { // want eligible:"reads annotation example.com/may-go of p0"
	v, ok := p.Annotations[mayGo]
	if !ok || v != "true" {
		return false
	}
	return !p.DeletionTimestamp.IsZero()
}

// Reconcile takes a pod away.
func (r *reaper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !eligible(&pod) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Client.Delete(ctx, &pod)
}

// SetupWithManager watches pods.
func (r *reaper) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).WithEventFilter(r).Complete(r)
}
