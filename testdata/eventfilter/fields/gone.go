package fields

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func named(req ctrl.Request) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}
}

// deaf hears nothing of deletions.
func deaf() predicate.Predicate {
	return predicate.Funcs{
		DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "deaf drops the deletions of *v1.Secret, but (*Fencer).fence makes such an object where there is none (line 102): one that somebody deletes stays away until something else queues its owner" @102 "the object is made here" @112 "the kind is watched here"
	}
}

// enqueue is for handlers that wake the owner.
func enqueue(o client.Object, q handlerQueue) {
	if name := o.GetLabels()["garden"]; name != "" {
		q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Namespace: o.GetNamespace(), Name: name}})
	}
}

// Planner makes a plan for each garden that has none.
type Planner struct{ client.Client }

func (r *Planner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plan := &corev1.ConfigMap{ObjectMeta: named(req)}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, plan))
}

func (r *Planner) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "this predicate drops the deletions of *v1.ConfigMap, but (*Planner).Reconcile makes such an object where there is none (line 46): one that somebody deletes stays away until something else queues its owner" @46 "the object is made here" @52 "the kind is watched here"
		})).
		Complete(r)
}

func (r *Planner) watching(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{ // want deletion "the handler of this watch, which has no DeleteFunc, drops the deletions of *v1.ConfigMap, but (*Planner).Reconcile makes such an object where there is none (line 46): one that somebody deletes stays away until something else queues its owner" @46 "the object is made here" @61 "the kind is watched here"
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
			UpdateFunc: func(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) },
		}).
		Complete(r)
}

func (r *Planner) attentive(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
			UpdateFunc: func(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) },
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, q handlerQueue) { enqueue(e.Object, q) }, // ok: it hears of deletions
		}).
		Complete(r)
}

func (r *Planner) twice(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: the other watch of the kind hears of it
		})).
		Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).
		Complete(r)
}

// Fencer puts up a fence, new or old.
type Fencer struct{ client.Client }

func (r *Fencer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.fence(ctx, req, garden.Spec.Hedge)
}

func (r *Fencer) fence(ctx context.Context, req ctrl.Request, wood string) error {
	fence := &corev1.Secret{ObjectMeta: named(req)}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, fence, func() error {
		fence.StringData = map[string]string{"wood": wood}
		return nil
	})
	return err
}

func (r *Fencer) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(deaf())).
		Complete(r)
}

func (r *Fencer) owner(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: it does not make gardens
		})).
		Owns(&corev1.Secret{}).
		Complete(r)
}

// Opener sends an invitation once.
type Opener struct{ client.Client }

func (r *Opener) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !garden.Status.Green {
		garden.Status.Green = true
		invitation := &corev1.ConfigMap{ObjectMeta: named(req)}
		if err := r.Create(ctx, invitation); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Status().Update(ctx, garden)
	}
	return ctrl.Result{}, nil
}

func (r *Opener) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: the status says that it was made, and it is not made again
		})).
		Complete(r)
}

// Mower has the lawn mown by a job, once.
type Mower struct{ client.Client }

func (r *Mower) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := &batchv1.Job{ObjectMeta: named(req)}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, job))
}

func (r *Mower) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.Funcs{
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: what has run is over
		})).
		Complete(r)
}

// Visitor comes when something new is there.
type Visitor struct{ client.Client }

func (r *Visitor) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, garden))
}

func changes() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false }, // want constant "changes says false to all that CreateFunc of this watch's handler is for: it never runs" @193 "this never runs" @192 "the watch"
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}

func (r *Visitor) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.Pod{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
		}, builder.WithPredicates(changes())).
		Complete(r)
}

func (r *Visitor) ready(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.Pod{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
			UpdateFunc: func(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) },
		}, builder.WithPredicates(predicate.Or( // ok: the other one lets what is new through
			changes(), predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetNamespace() == "park" })))).
		Complete(r)
}

func (r *Visitor) later(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.Pod{}, handler.Funcs{
			UpdateFunc: func(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) },
		}, builder.WithPredicates(changes())). // ok: the handler has nothing for what is new
		Complete(r)
}

var _ = []any{
	(*Planner).setup, (*Planner).watching, (*Planner).attentive, (*Planner).twice, (*Fencer).setup, (*Fencer).owner, (*Opener).setup, (*Mower).setup,
	(*Visitor).setup, (*Visitor).ready, (*Visitor).later,
}
