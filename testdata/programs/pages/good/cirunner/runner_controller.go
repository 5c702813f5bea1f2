// The status is saved before the finalizer is changed in memory, and each change
// of the finalizer goes through SaveMeta, which patches the object itself.
//
//adv:rule=finalizerorder sub=statusonly claim=no
package cirunner

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/good/cirunner/store"
)

const runnerFinalizer = "ci.anvilworks.dev/registration"

type Runner struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ Pool string }
	Status struct {
		Phase    string
		LastSeen *metav1.Time
	}
}

func (r *Runner) DeepCopy() *Runner {
	out := *r
	out.ObjectMeta = *r.ObjectMeta.DeepCopy()
	out.Status.LastSeen = r.Status.LastSeen.DeepCopy()
	return &out
}

func (r *Runner) DeepCopyObject() runtime.Object { return r.DeepCopy() }

// Hub knows runners by the UID of their object; all calls may be repeated.
type Hub interface {
	Register(ctx context.Context, uid, pool string) error
	Busy(ctx context.Context, uid string) (bool, error)
	Deregister(ctx context.Context, uid string) error
}

type RunnerReconciler struct {
	Reader client.Reader
	Store  store.Store
	Hub    Hub
}

func (r *RunnerReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	runner := &Runner{}
	if err := r.Reader.Get(ctx, req.NamespacedName, runner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !runner.DeletionTimestamp.IsZero() {
		return r.retire(ctx, runner)
	}
	if !controllerutil.ContainsFinalizer(runner, runnerFinalizer) {
		before := runner.DeepCopy()
		controllerutil.AddFinalizer(runner, runnerFinalizer)
		if err := r.Store.SaveMeta(ctx, runner, before); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.Hub.Register(ctx, string(runner.UID), runner.Spec.Pool); err != nil {
		return ctrl.Result{}, fmt.Errorf("registering: %w", err)
	}
	if runner.Status.Phase != "Online" {
		if err := r.setPhase(ctx, runner, "Online"); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: 5 * time.Minute}, nil
}

func (r *RunnerReconciler) retire(ctx context.Context, runner *Runner) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(runner, runnerFinalizer) {
		return ctrl.Result{}, nil
	}
	busy, err := r.Hub.Busy(ctx, string(runner.UID))
	if err != nil {
		return ctrl.Result{}, err
	}
	if busy {
		if runner.Status.Phase != "Draining" {
			if err := r.setPhase(ctx, runner, "Draining"); err != nil {
				return ctrl.Result{}, err
			}
		}
		return ctrl.Result{RequeueAfter: 15 * time.Second}, nil
	}
	if err := r.Hub.Deregister(ctx, string(runner.UID)); err != nil {
		return ctrl.Result{}, fmt.Errorf("deregistering: %w", err)
	}
	if runner.Status.Phase != "Retired" {
		if err := r.setPhase(ctx, runner, "Retired"); err != nil {
			return ctrl.Result{}, err
		}
	}
	before := runner.DeepCopy()
	controllerutil.RemoveFinalizer(runner, runnerFinalizer)
	return ctrl.Result{}, client.IgnoreNotFound(r.Store.SaveMeta(ctx, runner, before))
}

func (r *RunnerReconciler) setPhase(ctx context.Context, runner *Runner, phase string) error {
	before := runner.DeepCopy()
	now := metav1.Now()
	runner.Status.Phase, runner.Status.LastSeen = phase, &now
	return r.Store.SaveStatus(ctx, runner, before)
}

func (r *RunnerReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Runner{}).Complete(r)
}
