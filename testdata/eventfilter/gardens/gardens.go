// Package gardens has controllers whose watches leave out a part of what their reconcilers work with.
package gardens

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/operators/eventfilter/gardens/preds"
)

// Garden is a custom resource.
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   GardenSpec
	Status GardenStatus
}

type GardenSpec struct {
	Beds  int
	Hedge string
}

type GardenStatus struct {
	Green bool
	Wet   int
}

func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

// Gatekeeper waits for what it owns.
type Gatekeeper struct{ client.Client }

func (r *Gatekeeper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden, gate := &Garden{}, &appsv1.StatefulSet{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, gate); err != nil {
		return ctrl.Result{}, err
	}
	garden.Status.Green = gate.Status.ReadyReplicas > 0
	return ctrl.Result{}, r.Status().Update(ctx, garden)
}

func (r *Gatekeeper) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(preds.Replanted())). // want status "Replanted drops status updates of *v1.StatefulSet, but (*Gatekeeper).Reconcile reads the status at gardens.go:58: its change triggers no reconcile; let them through" @58 "the status is read here" @65 "the kind is watched here"
		Complete(r)
}

func (r *Gatekeeper) touched(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(preds.Replanted())).            // ok: the status of its own kind is its own
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(preds.Touched())). // ok: a new status is a new version
		Complete(r)
}

var _ = []any{
	(*Gatekeeper).setup, (*Gatekeeper).touched,
}

// Scribe hands the status of what it has read on to what it writes.
type Scribe struct{ client.Client }

func (r *Scribe) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	bed := &appsv1.ReplicaSet{}
	if err := r.Get(ctx, req.NamespacedName, bed); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := &appsv1.ReplicaSet{ObjectMeta: bed.ObjectMeta}
	next.Status = bed.Status
	next.Spec.MinReadySeconds = int32(garden.Spec.Beds)
	return ctrl.Result{}, r.Update(ctx, next)
}

func (r *Scribe) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&appsv1.ReplicaSet{}, builder.WithPredicates(preds.Replanted())). // ok: nothing hangs on the status
		Complete(r)
}

var _ = (*Scribe).setup

func named(req ctrl.Request) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}
}

// deaf hears nothing of deletions.
func deaf() predicate.Predicate {
	return predicate.Funcs{
		DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "deaf drops the deletions of *v1.Secret: (*Fencer).fence recreates it if it is missing (line 180) but is not triggered; let them through" @180 "the object is created here" @190 "the kind is watched here"
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
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // want deletion "this predicate drops the deletions of *v1.ConfigMap: (*Planner).Reconcile recreates it if it is missing (line 134) but is not triggered; let them through" @134 "the object is created here" @140 "the kind is watched here"
		})).
		Complete(r)
}

func (r *Planner) watching(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{ // want deletion "this handler, which has no DeleteFunc, drops the deletions of *v1.ConfigMap: (*Planner).Reconcile recreates it if it is missing (line 134) but is not triggered; let them through" @134 "the object is created here" @149 "the kind is watched here"
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

var _ = []any{
	(*Planner).setup, (*Planner).watching, (*Planner).attentive, (*Fencer).setup, (*Fencer).owner, (*Opener).setup, (*Mower).setup,
}

// wakes queues the garden of an object that is there.
type wakes struct{}

func (wakes) Create(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) }

func (wakes) Update(_ context.Context, e event.UpdateEvent, q handlerQueue) { enqueue(e.ObjectNew, q) }

func (wakes) Delete(_ context.Context, e event.DeleteEvent, _ handlerQueue) { // want deletion "wakes.Delete, which does nothing, drops the deletions of *v1.ConfigMap: (*Planner).Reconcile recreates it if it is missing (line 134) but is not triggered; let them through" @134 "the object is created here" @280 "the kind is watched here"
	klog.InfoS("a plan is gone", "name", e.Object.GetName())
}

func (wakes) Generic(context.Context, event.GenericEvent, handlerQueue) {}

// wakesAlways queues it for one that is gone, too.
type wakesAlways struct{ wakes }

func (wakesAlways) Delete(_ context.Context, e event.DeleteEvent, q handlerQueue) {
	enqueue(e.Object, q)
}

// wakesToo has all of the other one.
type wakesToo struct{ wakesAlways }

func (r *Planner) idle(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, wakes{}).Complete(r)
}

func (r *Planner) busy(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, &wakesAlways{}).Complete(r) // ok: it queues
}

func (r *Planner) promoted(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}).Watches(&corev1.ConfigMap{}, wakesToo{}).Complete(r) // ok: it has that of the other one
}

func (r *Planner) emptied(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q handlerQueue) { enqueue(e.Object, q) },
			DeleteFunc: func(context.Context, event.DeleteEvent, handlerQueue) {}, // want deletion "this handler, which does nothing, drops the deletions of *v1.ConfigMap: (*Planner).Reconcile recreates it if it is missing (line 134) but is not triggered; let them through" @134 "the object is created here" @294 "the kind is watched here"
		}).
		Complete(r)
}

// deafToo has what it does not say itself from another predicate.
type deafToo struct {
	predicate.ResourceVersionChangedPredicate
}

func (deafToo) Delete(event.DeleteEvent) bool { return false } // want deletion "deafToo drops the deletions of *v1.ConfigMap: (*Planner).Reconcile recreates it if it is missing (line 134) but is not triggered; let them through" @134 "the object is created here" @318 "the kind is watched here"

// hearsToo says no more than the other one.
type hearsToo struct {
	predicate.ResourceVersionChangedPredicate
}

func (hearsToo) Create(event.CreateEvent) bool { return true }

func (r *Planner) deaf(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(deafToo{})).
		Complete(r)
}

func (r *Planner) hears(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(hearsToo{})). // ok
		Complete(r)
}

var _ = []any{(*Planner).idle, (*Planner).busy, (*Planner).promoted, (*Planner).emptied, (*Planner).deaf, (*Planner).hears}

type handlerQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Pond has wishes in its annotations.
type Pond struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Status struct{ Frogs int }
}

func (p *Pond) DeepCopyObject() runtime.Object { c := *p; return &c }

const (
	drain  = "pond.example.com/drain"
	feed   = "pond.example.com/feed"
	freeze = "pond.example.com/freeze"
	stock  = "pond.example.com/stock"
)

func wished(o client.Object, key string) bool { return o.GetAnnotations()[key] == "yes" }

// Warden does three of the wishes.
type Warden struct{ client.Client }

func (r *Warden) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pond := &Pond{}
	if err := r.Get(ctx, req.NamespacedName, pond); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch {
	case wished(pond, drain):
		pond.Status.Frogs = 0
	case wished(pond, feed):
		pond.Status.Frogs++
	case wished(pond, freeze):
		pond.Status.Frogs--
	}
	return ctrl.Result{}, r.Status().Update(ctx, pond)
}

func (r *Warden) twoOfThree(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *gardens.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at gardens.go:364: setting it triggers no reconcile; let them through` @364 "the annotation is read here"
				for _, key := range []string{drain, feed} {
					if e.ObjectOld.GetAnnotations()[key] != e.ObjectNew.GetAnnotations()[key] {
						return true
					}
				}
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			},
		})).
		Complete(r)
}

var most = []string{drain, feed}

func mostWishes(e event.UpdateEvent) bool { // want metadata `mostWishes drops updates of *gardens.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at gardens.go:364: setting it triggers no reconcile; let them through` @364 "the annotation is read here"
	for _, key := range most {
		if e.ObjectOld.GetAnnotations()[key] != e.ObjectNew.GetAnnotations()[key] {
			return true
		}
	}
	return false
}

func (r *Warden) fromVariable(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: mostWishes})).
		Complete(r)
}

func (r *Warden) allThree(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: all that are read are on the list
				for _, key := range []string{drain, feed, freeze} {
					if e.ObjectOld.GetAnnotations()[key] != e.ObjectNew.GetAnnotations()[key] {
						return true
					}
				}
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			},
		})).
		Complete(r)
}

// Stocker comes back only where it has done something.
type Stocker struct{ client.Client }

func (r *Stocker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pond := &Pond{}
	if err := r.Get(ctx, req.NamespacedName, pond); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pond.Annotations[stock] != "yes" {
		return ctrl.Result{}, nil
	}
	pond.Status.Frogs += 10
	if err := r.Status().Update(ctx, pond); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *Stocker) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want metadata `predicate.GenerationChangedPredicate drops updates of *gardens.Pond that change only annotations, but (*Stocker).Reconcile reads the annotation "pond.example.com/stock" at gardens.go:425: setting it triggers no reconcile; let them through` @425 "the annotation is read here"
		Complete(r)
}

// Keeper comes back after an hour for each object that lives.
type Keeper struct{ client.Client }

func (r *Keeper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pond := &Pond{}
	if err := r.Get(ctx, req.NamespacedName, pond); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !pond.DeletionTimestamp.IsZero() {
		return r.leave(pond)
	}
	if pond.Annotations[stock] == "yes" {
		pond.Status.Frogs += 10
	}
	return ctrl.Result{RequeueAfter: time.Hour}, r.Status().Update(ctx, pond)
}

func (r *Keeper) leave(pond *Pond) (ctrl.Result, error) {
	pond.Status.Frogs = 0
	return ctrl.Result{}, nil
}

func (r *Keeper) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // ok: it looks again by itself
		Complete(r)
}

var _ = []any{(*Keeper).setup, (*Warden).twoOfThree, (*Warden).fromVariable, (*Warden).allThree, (*Stocker).setup}
