package loop

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// The watch drops updates of the status.
type filtered struct{ client.Client }

func (r *filtered) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	app.Status.LastGood = metav1.Now()
	return ctrl.Result{}, r.Status().Update(ctx, app)
}

func (r *filtered) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&App{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// The time is written only if something else has changed.
type tested struct{ client.Client }

func (r *tested) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if app.Status.Ready {
		return ctrl.Result{}, nil
	}
	app.Status.Ready = true
	app.Status.LastTested = metav1.Now()
	return ctrl.Result{}, r.Status().Update(ctx, app)
}

func (r *tested) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}

// A test of what is stored keeps it from being written again.
type later struct{ client.Client }

func (r *later) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if time.Since(app.Status.LastLater.Time) > time.Hour {
		app.Status.LastLater = metav1.Now()
	}
	return ctrl.Result{}, r.Status().Update(ctx, app)
}

func (r *later) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}

// What is compared has the old time.
type reset struct{ client.Client }

func (r *reset) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	old := app.Status
	app.Status.LastReset = metav1.Now()
	wanted := app.Status
	wanted.LastReset = old.LastReset
	if wanted == old {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, app)
}

func (r *reset) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}

// The day is the same all day.
type daily struct{ client.Client }

func (r *daily) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	app.Spec.Day = time.Now().Format("2006-01-02")
	return ctrl.Result{RequeueAfter: time.Since(app.Status.LastCheck.Time)}, r.Update(ctx, app)
}

func (r *daily) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}

// It is written only in a reconcile in which a call fails, and the error backs off.
type failing struct{ client.Client }

func (r *failing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &App{}
	if err := r.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Create(ctx, &App{}); err != nil {
		app.Status.LastFailed = metav1.Now()
		_ = r.Status().Update(ctx, app)
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *failing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&App{}).Complete(r)
}
