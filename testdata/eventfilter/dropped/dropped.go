// Package dropped has controllers whose predicates decide which updates the reconciler sees.
package dropped

import (
	"context"
	"errors"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/operators/eventfilter/dropped/ends"
)

// Garden is a custom resource.
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   GardenSpec
	Status GardenStatus
}

type GardenSpec struct{ Beds, Paths []string }
type GardenStatus struct{ Ready bool }

func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

const (
	finalizer = "garden.example.com/weeds"
	waterNow  = "garden.example.com/water-now"
	lastWater = "garden.example.com/last-water"
)

// Waterer reads annotations that users set.
type Waterer struct{ client.Client }

func (r *Waterer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) { // want Reconcile:"sets garden.example.com/last-water; needs annotation garden.example.com/water-now of dropped.Garden, deletion of dropped.Garden"
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !garden.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(garden, finalizer)
		return ctrl.Result{}, r.Update(ctx, garden)
	}
	if garden.Annotations[waterNow] == "true" {
		garden.Annotations[lastWater] = "today"
		return ctrl.Result{}, r.Update(ctx, garden)
	}
	return ctrl.Result{}, nil
}

func (r *Waterer) generation(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want metadata `predicate.GenerationChangedPredicate drops updates of *dropped.Garden that change only annotations, but (*Waterer).Reconcile reads the annotation "garden.example.com/water-now" at dropped.go:59: setting it triggers no reconcile; let them through` @59 "the annotation is read here"
		Complete(r)
}

func (r *Waterer) byHand(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		WithEventFilter(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *dropped.Garden that change only annotations, but (*Waterer).Reconcile reads the annotation "garden.example.com/water-now" at dropped.go:59: setting it triggers no reconcile; let them through` @59 "the annotation is read here"
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			},
			DeleteFunc: func(event.DeleteEvent) bool { return false }, // ok: the deletion comes as an update, for the finalizer
		}).
		Complete(r)
}

func (r *Waterer) either(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Or( // ok: whatever the reconciler reads gets through
			predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, predicate.LabelChangedPredicate{}))).
		Complete(r)
}

func (r *Waterer) keyed(mgr ctrl.Manager) error {
	changed := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // ok: it compares just what is read
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() ||
			e.ObjectOld.GetAnnotations()[waterNow] != e.ObjectNew.GetAnnotations()[waterNow] ||
			!reflect.DeepEqual(e.ObjectOld.GetLabels(), e.ObjectNew.GetLabels())
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}, builder.WithPredicates(changed)).Complete(r)
}

func (r *Waterer) second(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // ok: the second watch of the kind lets the rest through
		Watches(&Garden{}, &handler.EnqueueRequestForObject{}).
		Complete(r)
}

func (r *Waterer) specOnly(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(bedsChanged{}, predicate.ResourceVersionChangedPredicate{})).
		Complete(r)
}

// bedsChanged enjoys no generation, so that it has to ask for the deletion itself.
type bedsChanged struct{ predicate.Funcs }

func (bedsChanged) Update(e event.UpdateEvent) bool { // want metadata `bedsChanged drops updates of *dropped.Garden that change only annotations, but (*Waterer).Reconcile reads the annotation "garden.example.com/water-now" at dropped.go:59: setting it triggers no reconcile; let them through` @59 "the annotation is read here" deletion "bedsChanged drops the update that sets the deletionTimestamp of *dropped.Garden: (*Waterer).Reconcile removes the finalizer (line 56) only at another event; let it through" @56 "the finalizer is removed here"
	was, ok := e.ObjectOld.(*Garden)
	if !ok {
		return true
	}
	is := e.ObjectNew.(*Garden)
	return !sameBeds(was, is) || !reflect.DeepEqual(was.Spec.Paths, is.Spec.Paths)
}

func sameBeds(a, b *Garden) bool { return reflect.DeepEqual(a.Spec.Beds, b.Spec.Beds) }

// Digger keeps a finalizer, and reads nothing but the spec.
type Digger struct{ client.Client }

func (r *Digger) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if garden.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(garden, finalizer)
		return ctrl.Result{}, r.Update(ctx, garden)
	}
	dug := garden.Annotations[lastWater] // ok: this package sets it
	if dug == "" || len(garden.Spec.Beds) > 0 {
		garden.Status.Ready = true
	}
	return ctrl.Result{}, r.Status().Update(ctx, garden)
}

func (r *Digger) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // ok: the deletion bumps the generation of a custom resource
		Complete(r)
}

func (r *Digger) pathsOnly(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want deletion "this predicate drops the update that sets the deletionTimestamp of *dropped.Garden: (*Digger).Reconcile removes the finalizer (line 136) only at another event; let it through" @136 "the finalizer is removed here"
				return len(e.ObjectOld.(*Garden).Spec.Paths) != len(e.ObjectNew.(*Garden).Spec.Paths)
			},
		})).
		Complete(r)
}

func (r *Digger) pathsOrDeleting(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // ok: asks for the deletion
				if !e.ObjectNew.GetDeletionTimestamp().IsZero() {
					return true
				}
				return len(e.ObjectOld.(*Garden).Spec.Paths) != len(e.ObjectNew.(*Garden).Spec.Paths)
			},
		})).
		Complete(r)
}

func (r *Digger) never(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(event.UpdateEvent) bool { return false }, // want deletion "this predicate drops the update that sets the deletionTimestamp of *dropped.Garden: (*Digger).Reconcile removes the finalizer (line 136) only at another event; let it through" @136 "the finalizer is removed here"
		})).
		Complete(r)
}

func (r *Digger) guarded(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Pod{}).                                     // ok: since 1.33 a pod has a generation
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.Secret: its metadata.generation never changes, so drift persists; compare its content" @186 "*v1.Secret is watched here"
		Complete(r)
}

func (r *Digger) config(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(generationMoved())).
		Watches(&networkingv1.Ingress{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(generationMoved())). // ok: it has a generation
		Watches(&corev1.Service{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(
			predicate.Or(generationMoved(), predicate.LabelChangedPredicate{}))). // ok: the labels get through
		Watches(&corev1.Namespace{}, &handler.EnqueueRequestForObject{}, builder.OnlyMetadata, builder.WithPredicates(named)).
		Complete(r)
}

func generationMoved() predicate.Predicate { // want generationMoved:"drops annotations, status, deletion timestamp, anything"
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool { // want nogeneration "generationMoved drops every update of *v1.ConfigMap: its metadata.generation never changes; compare its content" @196 "*v1.ConfigMap is watched here"
			if e.ObjectOld == nil || e.ObjectNew == nil {
				return false
			}
			return e.ObjectNew.GetGeneration() > e.ObjectOld.GetGeneration()
		},
	}
}

var named = predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetName() == "kube-system" })

// Keeper waits for the status of what it owns.
type Keeper struct{ client.Client }

func (r *Keeper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden, deployment := &Garden{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, err
	}
	garden.Status.Ready = deployment.Status.ReadyReplicas > 0
	return ctrl.Result{}, r.Status().Update(ctx, garden)
}

func (r *Keeper) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want status "predicate.GenerationChangedPredicate drops status updates of *v1.Deployment, but (*Keeper).Reconcile reads the status at dropped.go:228: its change triggers no reconcile; let them through" @228 "the status is read here" @235 "the kind is watched here"
		Complete(r)
}

func (r *Keeper) right(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // ok: guards the gardens alone
		Owns(&appsv1.Deployment{}).
		Complete(r)
}

func (r *Keeper) sources(mgr ctrl.Manager, c controller.Controller, one bool) error {
	guards := []predicate.TypedPredicate[*corev1.Node]{
		predicate.TypedGenerationChangedPredicate[*corev1.Node]{},
		predicate.NewTypedPredicateFuncs(func(n *corev1.Node) bool { return n.Name != "" }),
	}
	if one {
		guards = append(guards, predicate.NewTypedPredicateFuncs(func(n *corev1.Node) bool { return n.Name == "one" }))
	}
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.Node{}, &handler.TypedEnqueueRequestForObject[*corev1.Node]{}, guards...)) // want nogeneration "predicate.TypedGenerationChangedPredicate drops every update of *v1.Node: its metadata.generation never changes; compare its content" @255 "*v1.Node is watched here"
}

// Equal compares less than its name says.
func (g *Garden) Equal(other *Garden) bool { return g.Generation == other.Generation }

func (r *Waterer) byName(mgr ctrl.Manager) error {
	changed := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { // want metadata `this predicate drops updates of *dropped.Garden that change only annotations, but (*Waterer).Reconcile reads the annotation "garden.example.com/water-now" at dropped.go:59: setting it triggers no reconcile; let them through` @59 "the annotation is read here"
		return !e.ObjectOld.(*Garden).Equal(e.ObjectNew.(*Garden))
	}}
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}, builder.WithPredicates(changed)).Complete(r)
}

const (
	paused  = "garden.example.com/paused"
	drained = "garden.example.com/drained"
	trimmed = "garden.example.com/trimmed"
)

// Warden tells what it has seen, under the keys that it reads, and keeps two notes of its own.
type Warden struct {
	client.Client
	recorder interface{ AddEvent(reason string) }
}

func note(o client.Object, key string) { annotate(o, key, "yes") }

func annotate(o client.Object, key, value string) { // calls, and is called by, what does not come first
	m := o.GetAnnotations()
	if m == nil {
		note(o, key)
		return
	}
	m[key] = value
}

func (r *Warden) Setup(reason string) {}

func (r *Warden) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if garden.Annotations[paused] != "" {
		r.recorder.AddEvent(paused)
		r.Setup(paused)
		return ctrl.Result{}, nil
	}
	if garden.Annotations[drained] == "" { // ok: it is a note of its own
		note(garden, drained)
	}
	if garden.Annotations[trimmed] == "" { // ok: it may be, as nobody sees what that does
		metav1.SetMetaDataAnnotation(&garden.ObjectMeta, trimmed, "yes")
	}
	return ctrl.Result{}, nil
}

func (r *Warden) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Garden{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).Complete(r) // want metadata `predicate.GenerationChangedPredicate drops updates of *dropped.Garden that change only annotations, but (*Warden).Reconcile reads the annotation "garden.example.com/paused" at dropped.go:298: setting it triggers no reconcile; let them through` @298 "the annotation is read here"
}

// Sweeper removes its finalizer with a helper, which goes by a name that says nothing, and adds it with another one.
type Sweeper struct{ client.Client }

func release(o client.Object) { o.SetFinalizers(nil) }

func addFinalizer(o client.Object) { o.SetFinalizers(append(o.GetFinalizers(), finalizer)) }

func (r *Sweeper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	garden := &Garden{}
	if err := r.Get(ctx, req.NamespacedName, garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	addFinalizer(garden)
	if garden.DeletionTimestamp != nil {
		release(garden)
	}
	return ctrl.Result{}, nil
}

func (r *Sweeper) setup(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool { // want deletion "this predicate drops the update that sets the deletionTimestamp of *dropped.Garden: (*Sweeper).Reconcile removes the finalizer (line 330) only at another event; let it through" @330 "the finalizer is removed here"
				return len(e.ObjectOld.(*Garden).Spec.Paths) != len(e.ObjectNew.(*Garden).Spec.Paths)
			},
		})).
		Complete(r)
}

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
			UpdateFunc: func(e event.UpdateEvent) bool { // want deletion "this predicate drops the update that sets the deletionTimestamp of *dropped.Plot in some states, unless the spec changes: (*Plower).Reconcile removes the finalizer (line 366) only at another event; let it through" @366 "the finalizer is removed here"
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

// ended comes back after a period, as another package sees to.
type ended struct {
	client.Client
	ends.Base
	period time.Duration
}

// Reconcile comes back wherever it succeeds.
func (r *ended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var garden Garden
	if err := r.Get(ctx, req.NamespacedName, &garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(garden.Spec.Beds) == 0 {
		return r.end(nil)
	}
	return r.end(r.Update(ctx, &garden))
}

func (r *ended) end(err error) (ctrl.Result, error) { return r.After(err, r.period) }

// SetupWithManager watches secrets.
func (r *ended) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // ok: it comes back
		Complete(r)
}

// onceEnded ends with what another package says, and gives it no time.
type onceEnded struct {
	client.Client
	ends.Base
}

// Reconcile does not come back.
func (r *onceEnded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var garden Garden
	if err := r.Get(ctx, req.NamespacedName, &garden); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return r.After(r.Update(ctx, &garden), 0)
}

// SetupWithManager watches secrets.
func (r *onceEnded) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Garden{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // nobody comes back // want nogeneration "predicate.GenerationChangedPredicate drops every update of *v1.Secret: its metadata.generation never changes, so drift persists; compare its content" @461 "*v1.Secret is watched here"
		Complete(r)
}

// polling looks again after a time that it was made with.
type polling struct {
	client.Client
	again ctrl.Result
}

// Reconcile comes back in any case.
func (r *polling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return r.again, nil
	}
	return r.again, nil
}

// SetupWithManager watches secrets.
func (r *polling) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // ok: it polls
		Complete(r)
}

// A Sower only has to hear of what is new.
type Sower struct{ client.Client }

func (r *Sower) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations["sown"] == "" {
		return ctrl.Result{}, errors.New("not sown")
	}
	return ctrl.Result{}, nil
}

func (r *Sower) never(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(event.UpdateEvent) bool { return false }, // ok: no update at all is wanted
		})).
		Complete(r)
}

var _ = (*Sower).never
