// Package loop has reconcilers that start themselves again, and such that do not.
package loop

import (
	"context"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type App struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              AppSpec   `json:"spec,omitempty"`
	Status            AppStatus `json:"status,omitempty"`
}

type AppSpec struct {
	Token string `json:"token,omitempty"`
	Day   string `json:"day,omitempty"`
}

type AppStatus struct {
	LastSeen   *metav1.Time `json:"lastSeen,omitempty"`
	LastSync   string       `json:"lastSync,omitempty"`
	LastCheck  metav1.Time  `json:"lastCheck,omitempty"`
	LastGood   metav1.Time  `json:"lastGood,omitempty"`
	LastTested metav1.Time  `json:"lastTested,omitempty"`
	LastLater  metav1.Time  `json:"lastLater,omitempty"`
	LastReset  metav1.Time  `json:"lastReset,omitempty"`
	LastFailed metav1.Time  `json:"lastFailed,omitempty"`
	Ready      bool         `json:"ready,omitempty"`
}

func (a *App) DeepCopy() *App                 { c := *a; return &c }
func (a *App) DeepCopyObject() runtime.Object { return a.DeepCopy() }

type direct struct{ client.Client }

func (r *direct) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !app.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	now := metav1.Now() // want loop "AppStatus.LastSeen differs on each reconcile, and its update (line 57) starts the next one; write it only if something else has changed" @56 "it is stored in the object here" @57 "the update is sent here in each reconcile" @61 "this watch lets the event of the update through"
	app.Status.LastSeen = &now
	return ctrl.Result{}, r.Status().Update(ctx, app)
}

func (r *direct) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}

// A helper sets it, another one writes it where the comparison with it finds a difference, as it always does.
type helped struct{ client.Client }

func (r *helped) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var app App
	if err := r.Get(ctx, req.NamespacedName, &app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	old := app.DeepCopy()
	r.touch(&app)
	return ctrl.Result{}, r.save(ctx, old, &app)
}

func (r *helped) touch(app *App) { app.Status.LastSync = time.Now().UTC().Format(time.RFC3339) } // want loop "AppStatus.LastSync differs on each reconcile, and its update (line 83) starts the next one; write it only if something else has changed" @77 "it is stored in the object here" @83 "the update is sent here in each reconcile" @88 "this watch lets the event of the update through"

func (r *helped) save(ctx context.Context, old, app *App) error {
	if reflect.DeepEqual(old.Status, app.Status) {
		return nil
	}
	return r.Status().Patch(ctx, app, client.MergeFrom(old))
}

func (r *helped) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&App{}, builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})).
		Complete(r)
}

// An annotation and a field of the spec: the generation moves.
type marked struct{ client.Client }

func (r *marked) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	app.Spec.Token = string(uuid.NewUUID()) // want loop "AppSpec.Token differs on each reconcile, and its update (line 101) starts the next one; write it only if something else has changed" @100 "it is stored in the object here" @101 "the update is sent here in each reconcile" @106 "this watch lets the event of the update through"
	return ctrl.Result{}, r.Update(ctx, app)
}

func (r *marked) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&App{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

type annotated struct{ client.Client }

func (r *annotated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	app.Annotations["seen"] = time.Now().String() // want loop "ObjectMeta.Annotations differs on each reconcile, and its update (line 118) starts the next one; write it only if something else has changed" @117 "it is stored in the object here" @118 "the update is sent here in each reconcile" @122 "this watch lets the event of the update through"
	return ctrl.Result{}, r.Update(ctx, app)
}

func (r *annotated) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}
