package fields

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

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
			UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *fields.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at keys.go:51: who sets it waits for an unrelated event` @51 "the annotation is read here"
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

func mostWishes(e event.UpdateEvent) bool { // want metadata `mostWishes drops updates of *fields.Pond that change only annotations, but (*Warden).Reconcile reads the annotation "pond.example.com/freeze" at keys.go:51: who sets it waits for an unrelated event` @51 "the annotation is read here"
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

// Breeder comes back after an hour, whatever it has done.
type Breeder struct{ client.Client }

func (r *Breeder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pond := &Pond{}
	if err := r.Get(ctx, req.NamespacedName, pond); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pond.Annotations[stock] != "yes" {
		return ctrl.Result{RequeueAfter: 4 * time.Hour}, nil
	}
	pond.Status.Frogs += 10
	if err := r.Status().Update(ctx, pond); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func (r *Breeder) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Pond{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // ok: it looks again by itself
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
		For(&Pond{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want metadata `predicate.GenerationChangedPredicate drops updates of *fields.Pond that change only annotations, but (*Stocker).Reconcile reads the annotation "pond.example.com/stock" at keys.go:136: who sets it waits for an unrelated event` @136 "the annotation is read here"
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

var _ = []any{(*Keeper).setup, (*Warden).twoOfThree, (*Warden).fromVariable, (*Warden).allThree, (*Breeder).setup, (*Stocker).setup}
