// Package fields has controllers whose watches leave out a part of what their reconcilers work with.
package fields

import (
	"context"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"example.com/operators/eventfilter/fields/preds"
)

// Garden is a custom resource.
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   GardenSpec
	Status GardenStatus
}

type GardenSpec struct {
	Beds    int
	Hedge   string
	Sprayer Sprayer
}

type Sprayer struct {
	Litres int
	Brand  string
}

type GardenStatus struct {
	Green bool
	Wet   int
}

func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

// bedsOrHedge forgets the sprayer.
func bedsOrHedge() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool { // want fields "bedsOrHedge drops updates of *fields.Garden that change only spec.Sprayer.Litres, but (*Waterer).Reconcile reads it at fields.go:66: who changes it waits for an unrelated event" @66 "the field is read here"
			was, is := e.ObjectOld.(*Garden), e.ObjectNew.(*Garden)
			return was.Spec.Beds != is.Spec.Beds || was.Spec.Hedge != is.Spec.Hedge
		},
	}
}

// Waterer works with a field that the predicate does not compare.
type Waterer struct{ client.Client }

func (r *Waterer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	garden.Status.Wet = garden.Spec.Beds * garden.Spec.Sprayer.Litres
	return ctrl.Result{}, r.Status().Update(ctx, garden)
}

func (r *Waterer) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}, builder.WithPredicates(bedsOrHedge())).Complete(r)
}

func (r *Waterer) whole(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: whatever the spec has
				return !reflect.DeepEqual(e.ObjectOld.(*Garden).Spec, e.ObjectNew.(*Garden).Spec)
			},
		})).
		Complete(r)
}

func (r *Waterer) either(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Or(bedsOrHedge(), predicate.GenerationChangedPredicate{}))). // ok: the generation moves with each field
		Complete(r)
}

// Painter reads the hedge and the beds, and tells the log about the sprayer.
type Painter struct{ client.Client }

func (r *Painter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	klog.InfoS("painting", "sprayer", garden.Spec.Sprayer.Brand)
	garden.Status.Green = garden.Spec.Beds > 0 && garden.Spec.Hedge == "box"
	return ctrl.Result{}, r.Status().Update(ctx, garden)
}

func (r *Painter) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: nothing is made of what is logged
				was, is := e.ObjectOld.(*Garden), e.ObjectNew.(*Garden)
				return was.Spec.Beds != is.Spec.Beds || was.Spec.Hedge != is.Spec.Hedge
			},
		})).
		Complete(r)
}

// Caretaker comes back by himself while the garden is dry.
type Caretaker struct{ client.Client }

func (r *Caretaker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if garden.Status.Wet < garden.Spec.Sprayer.Litres {
		return ctrl.Result{RequeueAfter: time.Minute}, nil
	}
	return ctrl.Result{}, nil
}

func (r *Caretaker) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: it looks again after a minute
				was, is := e.ObjectOld.(*Garden), e.ObjectNew.(*Garden)
				return was.Spec.Beds != is.Spec.Beds || was.Spec.Hedge != is.Spec.Hedge
			},
		})).
		Complete(r)
}

// Counter is for a kind of the cluster's own.
type Counter struct{ client.Client }

func (r *Counter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if deployment.Spec.MinReadySeconds > 10 {
		deployment.Spec.Paused = true
		return ctrl.Result{}, r.Update(ctx, deployment)
	}
	return ctrl.Result{}, nil
}

func (r *Counter) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: many fields of this kind never change
				was, is := e.ObjectOld.(*appsv1.Deployment), e.ObjectNew.(*appsv1.Deployment)
				return was.Spec.ProgressDeadlineSeconds != is.Spec.ProgressDeadlineSeconds || was.Spec.Paused != is.Spec.Paused
			},
		})).
		Complete(r)
}

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
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(preds.Replanted())). // want status "Replanted drops updates of *v1.StatefulSet (watched at line 183) that change only the status, but (*Gatekeeper).Reconcile reads its status at fields.go:176: what it waits for goes unseen" @176 "the status is read here" @183 "the kind is watched here"
		Complete(r)
}

func (r *Gatekeeper) touched(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(preds.Replanted())).            // ok: the status of its own kind is its own
		Owns(&appsv1.StatefulSet{}, builder.WithPredicates(preds.Touched())). // ok: a new status is a new version
		Complete(r)
}

var _ = []any{
	(*Waterer).setup, (*Waterer).whole, (*Waterer).either, (*Painter).setup, (*Caretaker).setup, (*Counter).setup, (*Gatekeeper).setup, (*Gatekeeper).touched,
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
