// Package gardens has controllers whose watches leave out a part of what their reconcilers work with.
package gardens

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

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
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(preds.Replanted())). // want status "Replanted drops status updates of *v1.StatefulSet, but (*Gatekeeper).Reconcile reads the status at gardens.go:51: its change triggers no reconcile; let them through" @51 "the status is read here" @58 "the kind is watched here"
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
			UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *gardens.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at gardens.go:135: setting it triggers no reconcile; let them through` @135 "the annotation is read here"
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

func mostWishes(e event.UpdateEvent) bool { // want metadata `mostWishes drops updates of *gardens.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at gardens.go:135: setting it triggers no reconcile; let them through` @135 "the annotation is read here"
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
		For(&Pond{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want metadata `predicate.GenerationChangedPredicate drops updates of *gardens.Pond that change only annotations, but (*Stocker).Reconcile reads the annotation "pond.example.com/stock" at gardens.go:196: setting it triggers no reconcile; let them through` @196 "the annotation is read here"
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
