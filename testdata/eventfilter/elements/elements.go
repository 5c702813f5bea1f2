// Package elements has filters that look at how many there are of something, and predicates of their own that leave out deletions.
package elements

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Orchard is a custom resource.
type Orchard struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec OrchardSpec
}

type OrchardSpec struct {
	Class string
	Trees []Tree
}

type Tree struct {
	Kind   string
	Height int
}

func (o *Orchard) DeepCopyObject() runtime.Object { c := *o; return &c }

type pruner struct{ client.Client }

func (r *pruner) prune(context.Context, int) error { return nil }

func (r *pruner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	orchard := &Orchard{}
	if err := r.Get(ctx, req.NamespacedName, orchard); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if orchard.Spec.Class != "big" {
		return ctrl.Result{}, nil
	}
	for _, t := range orchard.Spec.Trees {
		if err := r.prune(ctx, t.Height); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *pruner) counts(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Orchard{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want fields "this predicate drops updates of *elements.Orchard that change only what lies in spec.Trees, but (*pruner).Reconcile reads it at elements.go:48: who changes it waits for an unrelated event" @48 "the field is read here"
				was, is := e.ObjectOld.(*Orchard), e.ObjectNew.(*Orchard)
				return was.Spec.Class != is.Spec.Class || len(was.Spec.Trees) != len(is.Spec.Trees)
			},
		})).
		Complete(r)
}

func (r *pruner) compares(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Orchard{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: it looks at each of them, too
				was, is := e.ObjectOld.(*Orchard), e.ObjectNew.(*Orchard)
				if was.Spec.Class != is.Spec.Class || len(was.Spec.Trees) != len(is.Spec.Trees) {
					return true
				}
				for i := range is.Spec.Trees {
					if was.Spec.Trees[i].Height != is.Spec.Trees[i].Height {
						return true
					}
				}
				return false
			},
		})).
		Complete(r)
}

type counter struct{ client.Client }

// Reconcile asks for their number alone.
func (r *counter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	orchard := &Orchard{}
	if err := r.Get(ctx, req.NamespacedName, orchard); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(orchard.Spec.Trees) > 3 && orchard.Spec.Class == "big" {
		return ctrl.Result{}, r.Create(ctx, &corev1.Event{})
	}
	return ctrl.Result{}, nil
}

func (r *counter) counts(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Orchard{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok
				was, is := e.ObjectOld.(*Orchard), e.ObjectNew.(*Orchard)
				return was.Spec.Class != is.Spec.Class || len(was.Spec.Trees) != len(is.Spec.Trees)
			},
		})).
		Complete(r)
}

type planter struct{ client.Client }

func (r *planter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	orchard := &Orchard{}
	if err := r.Get(ctx, req.NamespacedName, orchard); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plan := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, plan))
}

// changes has what it does not say itself from another predicate.
type changes struct {
	predicate.ResourceVersionChangedPredicate
}

func (changes) Delete(event.DeleteEvent) bool { return false } // want deletion "changes drops the deletions of *v1.ConfigMap, but (*planter).Reconcile makes such an object where there is none (line 119): one that somebody deletes stays away until something else queues its owner" @119 "the object is made here" @139 "the kind is watched here"

// kept says no more than the other one.
type kept struct {
	predicate.ResourceVersionChangedPredicate
}

func (kept) Create(event.CreateEvent) bool { return true }

func (r *planter) deaf(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Orchard{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(changes{})).
		Complete(r)
}

func (r *planter) hears(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Orchard{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(kept{})). // ok
		Complete(r)
}

// Set up are all of them.
func setUp(mgr ctrl.Manager) error {
	p, c, l := &pruner{mgr.GetClient()}, &counter{mgr.GetClient()}, &planter{mgr.GetClient()}
	for _, set := range []func(ctrl.Manager) error{p.counts, p.compares, c.counts, l.deaf, l.hears} {
		if err := set(mgr); err != nil {
			return err
		}
	}
	return nil
}

var _ = setUp
