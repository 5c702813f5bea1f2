// Package awaited has reconcilers that put a finalizer on, and go on with that or return.
package awaited

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Hive is a custom resource.
type Hive struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              HiveSpec `json:"spec"`
}

type HiveSpec struct {
	Bees int `json:"bees"`
}

func (h *Hive) DeepCopyObject() runtime.Object { c := *h; return &c }

const finalizer = "hive.example.com/smoke"

func settle(ctx context.Context, c client.Client, hive *Hive) error {
	return c.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: hive.Name}})
}

// Waiting returns, and waits for the update that it has made.
type Waiting struct{ client.Client }

func (r *Waiting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(hive, finalizer) {
		controllerutil.AddFinalizer(hive, finalizer)
		if err := r.Update(ctx, hive); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func (r *Waiting) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // want metadata "predicate.GenerationChangedPredicate drops updates of *awaited.Hive that change only finalizers, but (*Waiting).Reconcile returns after it has put one on (line 48), and goes on only when it is told: a new object waits for an unrelated event" @48 "the finalizer is written here"
}

func (r *Waiting) heard(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Hive{}, builder.WithPredicates(predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.Funcs{ // ok: it hears of the finalizer
			UpdateFunc: func(e event.UpdateEvent) bool {
				return !slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
			},
		}))).
		Complete(r)
}

// Elsewhere does it in a function whose results it returns, with a patch, and by hand.
type Elsewhere struct{ client.Client }

func (r *Elsewhere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return r.keep(ctx, hive)
}

func (r *Elsewhere) keep(ctx context.Context, hive *Hive) (ctrl.Result, error) {
	if !slices.Contains(hive.Finalizers, finalizer) {
		before := client.MergeFrom(hive.DeepCopyObject().(client.Object))
		hive.Finalizers = append(hive.Finalizers, finalizer)
		return ctrl.Result{}, r.Patch(ctx, hive, before)
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func (r *Elsewhere) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // want metadata "predicate.GenerationChangedPredicate drops updates of *awaited.Hive that change only finalizers, but (*Elsewhere).keep returns after it has put one on (line 85), and goes on only when it is told: a new object waits for an unrelated event" @85 "the finalizer is written here"
}

// Going goes on by itself.
type Going struct{ client.Client }

func (r *Going) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(hive, finalizer) {
		if err := r.Update(ctx, hive); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func (r *Going) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // ok
}

// Asking asks to be called again.
type Asking struct{ client.Client }

func (r *Asking) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(hive, finalizer) {
		return ctrl.Result{Requeue: true}, r.Update(ctx, hive)
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func (r *Asking) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // ok
}

// Defaulting writes a field of the spec, too, which moves the generation.
type Defaulting struct{ client.Client }

func (r *Defaulting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(hive, finalizer) {
		controllerutil.AddFinalizer(hive, finalizer)
		withDefaults(hive)
		return ctrl.Result{}, r.Update(ctx, hive)
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func withDefaults(hive *Hive) {
	if hive.Spec.Bees == 0 {
		hive.Spec.Bees = 1000
	}
}

func (r *Defaulting) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // ok
}

// Idle has nothing left to do.
type Idle struct{ client.Client }

func (r *Idle) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(hive, finalizer) {
		controllerutil.AddFinalizer(hive, finalizer)
		return ctrl.Result{}, r.Update(ctx, hive)
	}
	return ctrl.Result{}, nil
}

func (r *Idle) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // ok
}

// Leaving takes its finalizer off, after which nobody needs to hear anything.
type Leaving struct{ client.Client }

func (r *Leaving) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	hive := &Hive{}
	if err := r.Get(ctx, req.NamespacedName, hive); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !hive.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(hive, finalizer) {
		controllerutil.RemoveFinalizer(hive, finalizer)
		return ctrl.Result{}, r.Update(ctx, hive)
	}
	return ctrl.Result{}, settle(ctx, r.Client, hive)
}

func (r *Leaving) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Hive{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // ok
}

var _ = []any{
	(*Waiting).generation, (*Waiting).heard, (*Elsewhere).generation, (*Going).generation, (*Asking).generation, (*Defaulting).generation,
	(*Idle).generation, (*Leaving).generation,
}
